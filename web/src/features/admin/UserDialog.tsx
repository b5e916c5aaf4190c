import type { ListedUser } from '@sumlock/contracts/admin-routes'
import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { useState } from 'react'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useGrantPremiumMutation, useSetSuspendedMutation } from './admin-api.ts'
import { usePage } from '../../page.ts'

const daysIn = (text: string) => Number(decimalDigits(text))
const isCount = (days: number) => Number.isInteger(days) && days >= 1 && days <= 3650

/** Lets an admin give a person premium days, suspend the account, or lift a suspension. */
export function UserDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { toast } = usePage().toasts
  const [grant] = useGrantPremiumMutation()
  const [setSuspended, suspending] = useSetSuspendedMutation()
  // All attempts of this dialog send the same id, so that the server grants the days only once.
  const [grantId] = useState(() => crypto.randomUUID())
  const { id: userId, username, suspendedAt, isAdmin } = user
  const isSuspended = suspendedAt !== null
  const done = (title: string) => {
    toast({ title })
    onClose()
  }
  const form = useForm({
    fields: ['days'],
    check: ({ days }) => (isCount(daysIn(days)) ? {} : { form: 'Enter 1 to 3650 days.' }),
    send: async (values) => {
      const days = daysIn(values.days)
      await grant({ userId, days, grantId }).unwrap()
      done(`${username} has ${days} more ${days === 1 ? 'day' : 'days'} of premium`)
    },
  })
  const switchSuspension = async () => {
    form.refuse({})
    try {
      await setSuspended({ userId, isSuspended: !isSuspended }).unwrap()
      done(isSuspended ? `${username} can sign in again` : `${username} is suspended`)
    } catch (error) {
      form.fail(error)
    }
  }
  return (
    <Dialog open onOpenChange={onClose} title={username} description={user.email}>
      <div className="space-y-4">
        {form.faults.form && <Notice kind="error">{form.faults.form}</Notice>}
        <form className="flex items-end gap-2" {...form.props}>
          <TextField
            label="Days of premium"
            inputMode="numeric"
            autoComplete="off"
            className="min-w-0 flex-1"
            name="days"
            defaultValue="30"
          />
          <Button type="submit" isBusy={form.isBusy}>
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
              onClick={() => void switchSuspension()}
            >
              {isSuspended ? 'Lift suspension' : 'Suspend'}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
