import { useState } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { isUnanswered, makeNewKeys } from '../sealed/change-boxes.ts'
import { PinField } from './PinField.tsx'
import { usePage } from '../../page.ts'

interface EncryptionDialogProps {
  onClose: () => void
  userId: string
}

/** What sealing protects and what not, and the way to new keys. */
export function EncryptionDialog({ onClose, userId }: EncryptionDialogProps) {
  const page = usePage()
  const [isRenewing, setIsRenewing] = useState(false)
  const [digits, setDigits] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [failure, setFailure] = useState<string | null>(null)

  /** The page still holds the former keys. */
  const beginAgain = () => {
    page.session?.close()
    page.location.replace('/settings')
  }
  const renew = async () => {
    setIsBusy(true)
    setFailure(null)
    try {
      await makeNewKeys(page.client, userId, digits)
      beginAgain()
    } catch (error) {
      // The new key may be stored: only a new page knows.
      if (isUnanswered(asApiError(error) ?? { status: 0 })) {
        beginAgain()
        return
      }
      setIsBusy(false)
      if (asApiError(error)?.code === 'wrong_pin')
        setFault('This number was not accepted. Check it and try again.')
      else setFailure(sentenceOf(error, 'Please try again.'))
    }
  }
  return (
    <Dialog open onOpenChange={onClose} title={isRenewing ? 'New keys' : 'Encryption'}>
      {!isRenewing && (
        <div className="space-y-4">
          <EncryptionFacts />
          <Button variant="secondary" className="w-full" onClick={() => setIsRenewing(true)}>
            New keys
          </Button>
        </div>
      )}
      {isRenewing && (
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault()
            void renew()
          }}
        >
          <p className="text-ink-2">
            Make new keys when someone may have had your unlocked phone, or when your keys do not open. The
            people you write with see that your security code changed. Your other devices are locked. What you
            can read now stays readable.
          </p>
          <PinField
            name="current"
            label="Numeric Password"
            value={digits}
            error={fault}
            onChange={(next) => {
              setDigits(next)
              setFault(undefined)
            }}
          />
          {failure && <Notice kind="error">{failure}</Notice>}
          <Button type="submit" className="w-full" isBusy={isBusy} disabled={digits === ''}>
            Make new keys
          </Button>
          <Button
            variant="secondary"
            className="w-full"
            onClick={() => {
              setIsRenewing(false)
              setDigits('')
            }}
          >
            Cancel
          </Button>
        </form>
      )}
    </Dialog>
  )
}

function EncryptionFacts() {
  return (
    <div className="space-y-3 text-ink-2">
      <p>
        Text between two people who have both unlocked in a browser is sealed on the device, end-to-end.
        Databases, backups and logs hold it only sealed.
      </p>
      <p className="font-medium text-ink">It does not protect you from</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>those who run the service: they deliver this app and receive your number when you unlock</li>
        <li>
          a short number, should someone steal the whole service with its secrets: nine digits or more help
        </li>
        <li>a false key at the first contact: compare the security code of a conversation</li>
        <li>someone who holds your unlocked phone</li>
      </ul>
      <p>
        Who writes with whom, when and how much stays visible to the service. Messages marked “Not encrypted”,
        such as those from before you had keys, and backups of them can be read by it. If the service loses
        its secret, all sealed text is lost.
      </p>
    </div>
  )
}
