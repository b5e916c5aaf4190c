import type { WholeUser } from '@sumlock/contracts/user'
import { useState } from 'react'
import { platform } from '../device/platform.ts'
import { linkWithCode } from '../../shared/lib/code-link.ts'
import { Card } from '../../shared/ui/Card.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { CopyableCode } from '../../shared/ui/CopyableCode.tsx'
import { QrCodeIcon } from '../../shared/ui/icons.tsx'
import { codeClass, nameClass } from '../../shared/ui/name-classes.ts'
import { QrCode } from '../../shared/ui/QrCode.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'

/** Shows the signed-in person, and the code that others need to start a conversation. */
export function UserCodeCard({ user }: { user: WholeUser }) {
  const [isShown, setIsShown] = useState(false)
  const origin = platform.serverUrl() || window.location.origin
  return (
    <Card>
      <h2 className="text-sm font-medium text-ink-2">Signed in as</h2>
      <p className={`${nameClass} mt-0.5 text-lg font-semibold`}>{user.username}</p>
      <h2 className="mt-4 text-sm font-medium text-ink-2">Your unique code</h2>
      <CopyableCode code={user.userCode}>
        <TipButton label="Show QR code" onClick={() => setIsShown(true)}>
          <QrCodeIcon />
        </TipButton>
      </CopyableCode>
      <p className="mt-1 text-sm text-ink-2">Give it to the one person you want to hear from.</p>
      <Dialog
        open={isShown}
        onOpenChange={setIsShown}
        title="Your unique code"
        description="Let the other person scan it with the camera of a phone. A calculator opens; after their number, it offers a conversation with you."
      >
        <QrCode text={linkWithCode(user.userCode, origin)} label={user.userCode} />
        <p className={`${codeClass} mt-3 text-center text-xl`}>{user.userCode}</p>
      </Dialog>
    </Card>
  )
}
