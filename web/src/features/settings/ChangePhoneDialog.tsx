import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { noRules, useRules } from '../../shared/lib/field-rules.ts'
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

/** The new number, the code that was sent to it, and the account password: one step each. */
export function ChangePhoneDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [change, { isLoading }] = useChangePhoneMutation()
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
        isBusy={isLoading}
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
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const rules = useRules(loadSignUpRules)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const loaded = await rules.get()
    const { phone = '', fault } = loaded ? checkPhone(text, loaded) : { fault: noRules }
    if (!fault) return onNumber(phone)
    setError(fault)
    input.current?.focus()
  }
  return (
    <form className="space-y-4" noValidate onSubmit={(event) => void submit(event)}>
      <p className="text-ink-2">
        We send a code to the new number. The present one stays until you have entered it.
      </p>
      <TextField
        ref={input}
        label="New phone number"
        type="tel"
        autoComplete="tel"
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.target.value)
          setError(undefined)
        }}
      />
      <Button type="submit" className="w-full">
        Send Code
      </Button>
      <Button variant="secondary" className="w-full" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
