import type { WholeUser } from '@sumlock/contracts/user'
import { useState } from 'react'
import { Card } from '../../shared/ui/Card.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { CopyIcon, QrCodeIcon } from '../../shared/ui/icons.tsx'
import { QrCode } from '../../shared/ui/QrCode.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'
import { toast } from '../../shared/ui/toast.ts'

/** Who is signed in, and the code that others need to start a conversation. */
export function UserCodeCard({ user }: { user: WholeUser }) {
  const [isShown, setIsShown] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(user.userCode)
    toast({ title: 'Copied to clipboard', description: 'Your user code has been copied' })
  }
  return (
    <Card>
      <h2 className="text-sm font-medium text-ink-2">Signed in as</h2>
      <p className="mt-0.5 text-lg font-semibold">{user.username}</p>
      <h2 className="mt-4 text-sm font-medium text-ink-2">Your unique code</h2>
      <div className="mt-0.5 flex items-center justify-between gap-2">
        <p className="min-w-0 text-xl tracking-[0.06em] tabular-nums">{user.userCode}</p>
        <div className="flex shrink-0">
          <TipButton label="Show QR code" onClick={() => setIsShown(true)}>
            <QrCodeIcon />
          </TipButton>
          <TipButton label="Copy code" onClick={() => void copy()}>
            <CopyIcon />
          </TipButton>
        </div>
      </div>
      <p className="mt-1 text-sm text-ink-2">Give it to the one person you want to hear from.</p>
      <Dialog
        open={isShown}
        onOpenChange={setIsShown}
        title="Your unique code"
        description="Let the other person scan it with the camera of a phone."
      >
        <QrCode text={user.userCode} />
        <p className="mt-3 text-center text-xl tracking-[0.06em] tabular-nums">{user.userCode}</p>
      </Dialog>
    </Card>
  )
}
