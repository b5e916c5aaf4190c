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
  const [unsent, setUnsent] = useState(0)

  const logout = async () => {
    await page.session?.outbox.flush(flushMs)
    const count = page.session?.outbox.items.length ?? 0
    if (count > 0) setUnsent(count)
    else await signOut()
  }
  const close = () => setUnsent(0)
  return (
    <>
      <Button variant="secondary" className="w-full" onClick={() => void logout()}>
        Logout
      </Button>
      <Dialog open={unsent > 0} onOpenChange={close} title="Sign out">
        <p className="text-ink-2">
          {unsent === 1 ? '1 message was' : `${unsent} messages were`} not sent yet. Sign out anyway?
        </p>
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
