import { useState } from 'react'
import { asApiError } from '../../api/base-api.ts'
import { useForm } from '../../shared/lib/use-form.ts'
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

/** Explains what sealing protects and what it does not, and offers new keys. */
export function EncryptionDialog({ onClose, userId }: EncryptionDialogProps) {
  const [isRenewing, setIsRenewing] = useState(false)
  return (
    <Dialog open onOpenChange={onClose} title={isRenewing ? 'New keys' : 'Encryption'}>
      {isRenewing ? (
        <NewKeysForm userId={userId} onCancel={() => setIsRenewing(false)} />
      ) : (
        <div className="space-y-4">
          <EncryptionFacts />
          <Button variant="secondary" className="w-full" onClick={() => setIsRenewing(true)}>
            New keys
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function NewKeysForm({ userId, onCancel }: { userId: string; onCancel: () => void }) {
  const page = usePage()
  const [isEmpty, setIsEmpty] = useState(true)
  const { props, field, faults, isBusy } = useForm({
    fields: ['current'],
    check: () => ({}),
    send: async ({ current }) => {
      try {
        await makeNewKeys(page.client, userId, current)
      } catch (error) {
        // Without an answer it is unknown whether the server has stored the new key. A new page fetches the keys.
        if (!isUnanswered(asApiError(error) ?? { status: 0 })) throw error
      }
      // This page still holds the former keys, so it is replaced.
      page.session?.close()
      page.location.replace('/settings')
      await untilReplaced()
    },
    refused: (sentence, error) =>
      asApiError(error)?.code === 'wrong_pin'
        ? { current: 'This number was not accepted. Check it and try again.' }
        : { form: sentence },
  })
  return (
    <form className="space-y-4" {...props}>
      <p className="text-ink-2">
        Make new keys when someone may have had your unlocked phone, or when your keys do not open. The people
        you write with see that your security code changed. Your other devices are locked. What you can read
        now stays readable.
      </p>
      <PinField
        label="Security Password"
        onDigits={(digits) => setIsEmpty(digits === '')}
        {...field('current')}
      />
      {faults.form && <Notice kind="error">{faults.form}</Notice>}
      <Button type="submit" className="w-full" isBusy={isBusy} disabled={isEmpty}>
        Make new keys
      </Button>
      <Button variant="secondary" className="w-full" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}

/** Keeps the form busy while the browser replaces the page. */
const untilReplaced = () => new Promise<never>(() => undefined)

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
