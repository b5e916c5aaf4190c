import type { ListedUser } from '@sumlock/contracts/admin-routes'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { dateText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { UserDialog } from './UserDialog.tsx'

const columns = [
  'Username',
  'Email',
  'Full Name',
  'User Code',
  'Phone',
  'Status',
  'Messages/Day',
  'Conversations',
  'Created',
] as const

/** Shows users as a table. Below 900 px each row is a card that names its fields. */
export function UserTable({ users }: { users: readonly ListedUser[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const user = users.find(({ id }) => id === chosen)
  return (
    <>
      <div className="overflow-x-auto">
        <table className="w-full text-left text-sm max-[900px]:block">
          <thead className="max-[900px]:sr-only">
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="sticky top-0 border-b border-line bg-surface px-3 py-2 font-medium whitespace-nowrap text-ink-2"
                >
                  {column}
                </th>
              ))}
              <th scope="col" className="border-b border-line">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody className="max-[900px]:block">
            {users.map((one) => (
              <UserRow key={one.id} user={one} onManage={() => setChosen(one.id)} />
            ))}
          </tbody>
        </table>
      </div>
      {user && <UserDialog user={user} onClose={() => setChosen(null)} />}
    </>
  )
}

function Cell({ column, children }: { column: (typeof columns)[number]; children: ReactNode }) {
  return (
    <td
      data-label={column}
      className="px-3 py-1.5 max-[900px]:flex max-[900px]:justify-between max-[900px]:gap-4 max-[900px]:px-4 max-[900px]:py-1 max-[900px]:before:shrink-0 max-[900px]:before:text-ink-2 max-[900px]:before:content-[attr(data-label)]"
    >
      <div className="min-w-0 break-words max-[900px]:text-right">{children}</div>
    </td>
  )
}

function UserRow({ user, onManage }: { user: ListedUser; onManage: () => void }) {
  const isPremium = user.subscriptionType === 'premium'
  return (
    <tr className="h-12 border-b border-line max-[900px]:block max-[900px]:h-auto max-[900px]:py-3">
      <Cell column="Username">
        <span className="font-semibold">{user.username}</span>
      </Cell>
      <Cell column="Email">{user.email}</Cell>
      <Cell column="Full Name">{user.fullName}</Cell>
      <Cell column="User Code">
        <span className="whitespace-nowrap tabular-nums">{user.userCode}</span>
      </Cell>
      <Cell column="Phone">{user.phone || '–'}</Cell>
      <Cell column="Status">
        <Badge isAccent={isPremium}>{user.subscriptionType}</Badge>
        {user.suspendedAt && <Badge>suspended</Badge>}
        {isPremium && user.subscriptionExpiresAt && (
          <p className="mt-0.5 whitespace-nowrap">Until {dateText(user.subscriptionExpiresAt)}</p>
        )}
        {user.isPhoneVerified && <Badge>Phone ✓</Badge>}
      </Cell>
      <Cell column="Messages/Day">{isPremium ? '∞' : `${user.dailyMessageCount}/1`}</Cell>
      <Cell column="Conversations">
        {user.conversations.length === 0
          ? 'No conversations'
          : user.conversations.map(({ id, otherUsername }) => (
              <p key={id} className="whitespace-nowrap">
                {otherUsername} <span className="text-ink-2">({id.slice(0, 8)})</span>
              </p>
            ))}
      </Cell>
      <Cell column="Created">{dateText(user.createdAt)}</Cell>
      <td className="px-3 py-1.5 text-right max-[900px]:block max-[900px]:px-4">
        <Button variant="secondary" aria-label={`Manage ${user.username}`} onClick={onManage}>
          Manage
        </Button>
      </td>
    </tr>
  )
}

function Badge({ children, isAccent = false }: { children: ReactNode; isAccent?: boolean }) {
  const look = isAccent ? 'bg-accent text-accent-ink' : 'bg-surface-2 text-ink'
  return (
    <span
      className={`mr-1 inline-block rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${look}`}
    >
      {children}
    </span>
  )
}
