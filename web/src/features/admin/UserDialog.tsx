import type { ListedUser } from '@sumlock/contracts/admin-routes'
import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useGrantPremiumMutation, useSetSuspendedMutation } from './admin-api.ts'
import { usePage } from '../../page.ts'

/** What an admin can do for or against a person: give premium days, suspend, and lift a suspension. */
export function UserDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { toast } = usePage().toasts
  const [grant, granting] = useGrantPremiumMutation()
  const [setSuspended, suspending] = useSetSuspendedMutation()
  // One grant for this dialog, however often it is sent.
  const [grantId] = useState(() => crypto.randomUUID())
  const [days, setDays] = useState('30')
  const [failure, setFailure] = useState<string | null>(null)
  const { id: userId, username, suspendedAt, isAdmin } = user
  const isSuspended = suspendedAt !== null

  const run = async (action: () => Promise<unknown>, title: string) => {
    setFailure(null)
    try {
      await action()
      toast({ title })
      onClose()
    } catch (error) {
      setFailure(sentenceOf(error, 'Please try again.'))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const count = Number(decimalDigits(days))
    if (!Number.isInteger(count) || count < 1 || count > 3650) return setFailure('Enter 1 to 3650 days.')
    void run(
      () => grant({ userId, days: count, grantId }).unwrap(),
      `${username} has ${count} more ${count === 1 ? 'day' : 'days'} of premium`,
    )
  }
  return (
    <Dialog open onOpenChange={onClose} title={username} description={user.email}>
      <div className="space-y-4">
        {failure && <Notice kind="error">{failure}</Notice>}
        <form className="flex items-end gap-2" noValidate onSubmit={submit}>
          <TextField
            label="Days of premium"
            inputMode="numeric"
            autoComplete="off"
            className="min-w-0 flex-1"
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
          <Button type="submit" isBusy={granting.isLoading}>
            Grant premium
          </Button>
        </form>
        {!isAdmin && (
          <div className="space-y-2 border-t border-line pt-4">
            <p className="text-sm text-ink-2">
              {isSuspended
                ? `${username} cannot sign in.`
                : `A suspension signs ${username} out everywhere and refuses every sign-in until it is lifted.`}
            </p>
            <Button
              variant={isSuspended ? 'secondary' : 'danger'}
              className="w-full"
              isBusy={suspending.isLoading}
              onClick={() =>
                void run(
                  () => setSuspended({ userId, isSuspended: !isSuspended }).unwrap(),
                  isSuspended ? `${username} can sign in again` : `${username} is suspended`,
                )
              }
            >
              {isSuspended ? 'Lift suspension' : 'Suspend'}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
