import { useEffect, useState } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { CheckIcon } from '../../shared/ui/icons.tsx'
import { QrCode } from '../../shared/ui/QrCode.tsx'
import { useSession } from '../../page.ts'
import type { SafetyCode } from '../sealed/message-sealer.ts'
import type { Trust } from '../sealed/trust.ts'
import { useTrust } from '../delivery/use-sealed.ts'
import { usePage } from '../../page.ts'

/** Shows the security code. It is equal on both sides unless the server gave one of them a false key. */
export function SecurityCodeDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { toastFailure } = usePage().toasts
  const { text } = useSession()
  const trust = useTrust(id)
  const [code, setCode] = useState<SafetyCode | null>()
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void text.safetyCode(id).then((digits) => {
      if (isCurrent) setCode(digits)
    })
    return () => {
      isCurrent = false
    }
  }, [text, id, trust])
  const mark = async (isVerified: boolean) => {
    setIsBusy(true)
    const acceptance = { print: code?.print ?? '', isVerified }
    await text.accept(id, acceptance).catch((error: unknown) => toastFailure('Not changed', error))
    setIsBusy(false)
  }
  const isVerified = trust.state === 'sealed' && trust.isVerified
  return (
    <Dialog open onOpenChange={onClose} title="Security code">
      {code === null && <p className="text-ink-2">{noCodeSentence(trust)}</p>}
      {code && (
        <div className="space-y-4">
          <p className="text-ink-2">
            Compare these digits with {name}, face to face or in a call. If they are the same, nobody has put
            a false key between you.
          </p>
          <ol
            aria-label="Security code"
            className="grid grid-cols-3 gap-x-4 gap-y-2 text-center text-lg tabular-nums sm:grid-cols-4"
          >
            {code.groups.map((group, index) => (
              <li key={index}>{group}</li>
            ))}
          </ol>
          <QrCode text={code.groups.join(' ')} />
          {isVerified && (
            <p role="status" className="flex items-center justify-center gap-2 text-sm font-medium">
              <CheckIcon size={18} className="text-accent" />
              You compared this code with {name}.
            </p>
          )}
          <Button
            variant={isVerified ? 'secondary' : 'primary'}
            className="w-full"
            isBusy={isBusy}
            onClick={() => void mark(!isVerified)}
          >
            {isVerified ? 'Not compared after all' : 'The digits are the same'}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function noCodeSentence(trust: Trust): string {
  if (trust.state !== 'no-own-key')
    return 'There is no code yet: both of you need to have unlocked in a browser once. Until then messages are not encrypted.'
  return trust.isLost
    ? 'Your keys do not open here. Make new keys in Settings.'
    : 'This browser has not seen your number. Lock and enter it.'
}
