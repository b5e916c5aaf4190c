import { useState } from 'react'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { PhoneStep } from '../auth/PhoneStep.tsx'
import { usePhoneCode } from '../auth/use-phone-code.ts'
import { checkPhone, loadSignUpRules } from '../auth/sign-up-rules.ts'
import { AccountPasswordDialog } from './AccountPasswordDialog.tsx'
import { useChangePhoneMutation } from './settings-api.ts'

const title = 'Change phone number'
type Step = 'number' | 'code' | 'password'

/** Changes the phone number in three steps: the new number, the code that was sent to it, and the account password. */
export function ChangePhoneDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [change] = useChangePhoneMutation()
  const codes = usePhoneCode()
  const [step, setStep] = useState<Step>('number')
  const [phone, setPhone] = useState('')
  const close = () => {
    setStep('number')
    setPhone('')
    onClose()
  }
  if (step === 'password')
    return (
      <AccountPasswordDialog
        open={open}
        title={title}
        action={title}
        onConfirm={async (password) => void (await change({ password, phone }).unwrap())}
        doneText={`Your phone number is ${phone} now.`}
        onClose={close}
      >
        <p>The number {phone} is verified. Your account password makes it yours.</p>
      </AccountPasswordDialog>
    )
  return (
    <Dialog open={open} onOpenChange={close} title={title}>
      {step === 'code' && codes.code ? (
        <PhoneStep
          code={codes.code}
          codes={codes}
          onVerified={() => Promise.resolve(setStep('password'))}
          onBack={close}
          onChange={() => setStep('number')}
        />
      ) : (
        <NumberForm
          onCancel={close}
          onNumber={(number) => {
            setPhone(number)
            setStep('code')
            codes.begin(number)
          }}
        />
      )}
    </Dialog>
  )
}

function NumberForm({ onNumber, onCancel }: { onNumber: (phone: string) => void; onCancel: () => void }) {
  const { props, field, isBusy } = useForm({
    fields: ['phone'],
    load: loadSignUpRules,
    check: ({ phone }, rules) => ({ phone: checkPhone(phone, rules).fault }),
    send: ({ phone }, rules) => onNumber(checkPhone(phone, rules).phone),
    refused: (sentence) => ({ phone: sentence }),
  })
  return (
    <form className="space-y-4" {...props}>
      <p className="text-ink-2">
        We send a code to the new number. The present one stays until you have entered it.
      </p>
      <TextField label="New phone number" type="tel" autoComplete="tel" {...field('phone')} />
      <Button type="submit" className="w-full" isBusy={isBusy}>
        Send Code
      </Button>
      <Button variant="secondary" className="w-full" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
