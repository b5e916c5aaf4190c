import type { SessionView } from '@sumlock/contracts/session-list-routes'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { dateText } from '../../shared/lib/date-text.ts'
import { relativeTime } from '../../shared/lib/relative-time.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { useAuth } from '../session/auth-context.ts'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'
import { SettingsGroup, SettingsRow } from './SettingsGroup.tsx'
import { useEndSessionMutation, useListSessionsQuery } from './settings-api.ts'
import { usePage } from '../../page.ts'

/** Lists the devices of the account. A locked session in discreet mode is sent to the settings instead. */
export function DevicesScreen() {
  const { user } = useAuth()
  return user && isWholeUser(user) ? <Devices /> : <Navigate to="/settings" replace />
}

/** Lists the sessions of the account, each with a button that ends it. */
function Devices() {
  const navigate = useNavigate()
  const {
    data: sessions,
    error,
    isFetching,
    refetch,
  } = useListSessionsQuery(undefined, { refetchOnMountOrArgChange: true })
  const [ending, setEnding] = useState<SessionView | 'others' | null>(null)
  const close = () => setEnding(null)
  const current = sessions?.find(({ isCurrent }) => isCurrent)
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? []

  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader
        title="Devices"
        back={{ label: 'Back', onBack: () => void navigate('/settings', { replace: true }) }}
      />
      <div className="space-y-5 p-4">
        {!sessions && isFetching && <Spinner label="Loading devices..." />}
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!error && current && (
          <SettingsGroup title="This device">
            <SessionRow session={current} />
          </SettingsGroup>
        )}
        {!error && current && (
          <SettingsGroup title="Other devices">
            {others.length === 0 && <SettingsRow>You are not signed in anywhere else.</SettingsRow>}
            {others.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
            ))}
          </SettingsGroup>
        )}
        {!error && others.length > 1 && (
          <Button variant="secondary" className="w-full" onClick={() => setEnding('others')}>
            End other sessions
          </Button>
        )}
      </div>
      <EndSessionsDialog open={ending === 'others'} onClose={close} />
      <EndSessionDialog session={ending === 'others' ? null : ending} onClose={close} />
    </main>
  )
}

function SessionRow({ session, onEnd }: { session: SessionView; onEnd?: () => void }) {
  const { nowMs } = usePage().client
  const { device, addressFamily, lastSeenAt, signedInAt, isCurrent } = session
  const seen = relativeTime(lastSeenAt, new Date(nowMs()))
  return (
    <SettingsRow>
      <div className="min-w-0 flex-1 py-1">
        <p className="wrap-anywhere">{device}</p>
        <p className="text-sm text-ink-2">
          {isCurrent || seen === 'now'
            ? 'Active now'
            : `Last seen ${/ (min|h)$/.test(seen) ? `${seen} ago` : seen}`}{' '}
          · Signed in {dateText(signedInAt)}
          {addressFamily && ` · ${addressFamily}`}
        </p>
      </div>
      {onEnd && (
        <Button variant="ghost" aria-label={`Sign out ${device}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </SettingsRow>
  )
}

function EndSessionDialog({ session, onClose }: { session: SessionView | null; onClose: () => void }) {
  const [end] = useEndSessionMutation()
  return (
    <AccountPasswordDialog
      open={session !== null}
      title="Sign out device"
      action="Sign out device"
      onConfirm={async (password) => void (await end({ id: session?.id ?? '', password }).unwrap())}
      doneText="That device is signed out."
      onClose={onClose}
    >
      <p>
        This signs out {session?.device} at once. If you do not know it, change your account password too.
      </p>
    </AccountPasswordDialog>
  )
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return asApiError(error)?.code === 'step_up_required' ? (
    <Notice kind="warning">
      To see your devices, unlock first, or log out and sign in again with your account password.
    </Notice>
  ) : (
    <>
      <Notice kind="error">{sentenceOf(error, 'Your devices could not be loaded.')}</Notice>
      <Button className="w-full" onClick={onRetry}>
        Retry
      </Button>
    </>
  )
}
