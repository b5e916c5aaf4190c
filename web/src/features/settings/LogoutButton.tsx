import { useState } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { usePage } from '../../page.ts'
import { useSignOut } from './use-sign-out.ts'

const flushMs = 2000

/** Logs out, after a confirmation if unsent messages would be lost. */
export function LogoutButton() {
  const signOut = useSignOut()
  const page = usePage()
  /** Describes what signing out would lose. */
  const [loss, setLoss] = useState('')

  const logout = async () => {
    await page.session?.outbox.flush(flushMs)
    const { items = [], acts = [] } = page.session?.outbox ?? {}
    if (items.length > 0) setLoss(items.length === 1 ? '1 message was' : `${items.length} messages were`)
    else if (acts.length > 0) setLoss('A change or a deletion of a message was')
    else await signOut()
  }
  const close = () => setLoss('')
  return (
    <>
      <Button variant="secondary" className="w-full" onClick={() => void logout()}>
        Logout
      </Button>
      <Dialog open={loss !== ''} onOpenChange={close} title="Sign out">
        <p className="text-ink-2">{loss} not sent yet. Sign out anyway?</p>
        <Button className="mt-4 w-full" onClick={() => void signOut().finally(close)}>
          Sign out
        </Button>
        <Button variant="secondary" className="mt-2 w-full" onClick={close}>
          Cancel
        </Button>
      </Dialog>
    </>
  )
}
