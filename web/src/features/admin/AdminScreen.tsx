import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { textOf } from '../../shared/lib/form-fields.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { inputClass } from '../../shared/ui/TextField.tsx'
import { NotFoundScreen } from '../not-found/NotFoundScreen.tsx'
import { useAuth } from '../session/auth-context.ts'
import { useListUsersInfiniteQuery } from './admin-api.ts'
import { LoadMore } from './LoadMore.tsx'
import { ActionList } from './ActionList.tsx'
import { PasswordPrompt } from './PasswordPrompt.tsx'
import { ReportList } from './ReportList.tsx'
import { UserTable } from './UserTable.tsx'

const notAllowed = 'not_allowed'

/** Shows the dashboard to administrators, and the not-found screen to everyone else. */
export function AdminScreen() {
  const { user } = useAuth()
  if (!user || !isWholeUser(user) || !user.isAdmin) return <NotFoundScreen />
  return user.unlockedUntil ? <Dashboard /> : <Locked />
}

function Locked() {
  return (
    <Frame>
      <Notice kind="warning">
        Administrators work in an unlocked session. Enter your number in the calculator first; without one,
        set it up in Settings.
      </Notice>
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <main className="mx-auto max-w-[90rem] pb-10">
      <ScreenHeader title="Admin Dashboard" back={{ label: 'Back', onBack: () => void navigate('/') }} />
      <div className="space-y-6 p-4">{children}</div>
    </main>
  )
}

function Dashboard() {
  const [wanted, setWanted] = useState('')
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useListUsersInfiniteQuery(wanted)
  if (asApiError(error)?.code === notAllowed) return <NotFoundScreen />
  const users = data?.pages.flatMap((page) => page.users)
  const total = data?.pages.at(-1)?.total ?? users?.length ?? 0

  return (
    <Frame>
      <Card className="p-0">
        <div className="flex flex-wrap items-center justify-between gap-3 p-4">
          <h2 className="text-lg font-semibold">All Users ({total})</h2>
          <SearchForm onSearch={setWanted} />
        </div>
        {error !== undefined && (
          <div className="space-y-3 p-4 pt-0">
            <Notice kind="error">{sentenceOf(error, 'The users could not be loaded.')}</Notice>
            <Button variant="secondary" onClick={() => void refetch()}>
              Retry
            </Button>
          </div>
        )}
        {!users && isFetching && (
          <div className="p-4 text-center">
            <Spinner label="Loading users..." />
          </div>
        )}
        {users?.length === 0 && <p className="p-8 text-center text-ink-2">No users found</p>}
        {users && users.length > 0 && <UserTable users={users} />}
        {hasNextPage && (
          <div className="p-4">
            <LoadMore isBusy={isFetching} onPress={() => void fetchNextPage()} />
          </div>
        )}
      </Card>
      {users && <ReportList />}
      {users && <ActionList />}
      <PasswordPrompt />
    </Frame>
  )
}

function SearchForm({ onSearch }: { onSearch: (wanted: string) => void }) {
  return (
    <form
      role="search"
      className="flex w-full max-w-md gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(textOf(event.currentTarget, 'q').trim())
      }}
    >
      <input
        name="q"
        type="search"
        aria-label="Search users"
        placeholder="Search"
        autoComplete="off"
        className={`${inputClass} [&::-webkit-search-cancel-button]:grayscale`}
      />
      <Button type="submit" variant="secondary">
        Search
      </Button>
    </form>
  )
}
