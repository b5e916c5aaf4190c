import { useRef, useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { useAuth } from '../session/auth-context.ts'
import { isDiscreet as isDiscreetAccount } from '../session/is-discreet.ts'
import { discreetModeText } from './DiscreetModeSwitch.tsx'
import { fieldOf, FormWithKeypad } from './FormWithKeypad.tsx'
import { NewPinFields } from './NewPinFields.tsx'
import { pinFaultOf } from './pin-fault.ts'
import type { PinFault } from './pin-fault.ts'
import { SwitchRow } from './SettingsGroup.tsx'
import { useSetUpPinMutation } from './settings-api.ts'
import { usePage } from '../../page.ts'

export function PinForm({ onSet, onCancel }: { onSet: () => void; onCancel: () => void }) {
  const { toast } = usePage().toasts
  const { send, isSending, failure } = useSetUp(onSet)
  const [value, setValue] = useState({ pin: '', confirmation: '' })
  const { user } = useAuth()
  // It stays on over a reset of the app.
  const [isDiscreet, setIsDiscreet] = useState(user !== null && isDiscreetAccount(user))
  const [fault, setFault] = useState<PinFault | null>(null)
  const form = useRef<HTMLFormElement>(null)

  const submit = () => {
    const found = pinFaultOf(value.pin, value.confirmation)
    setFault(found)
    if (found) {
      const { title, description } = found
      toast({ title, description, variant: 'destructive' })
      fieldOf(form.current, found.field)?.focus()
      return
    }
    void send({ numericPassword: value.pin, isDiscreet })
  }
  const fields = (
    <NewPinFields
      label="Numeric Password"
      value={value}
      fault={fault}
      onChange={(next) => {
        setValue(next)
        setFault(null)
      }}
    />
  )

  return (
    <FormWithKeypad ref={form} firstField="pin" fields={fields} onSubmit={submit}>
      <div className="rounded-2xl border border-line bg-surface">
        <SwitchRow {...discreetModeText} isOn={isDiscreet} onChange={setIsDiscreet} />
      </div>
      {failure && <Notice kind="error">{failure}</Notice>}
      <Button type="submit" className="w-full" isBusy={isSending}>
        Set Password &amp; Continue
      </Button>
      <Button variant="secondary" className="w-full" onClick={onCancel}>
        Cancel
      </Button>
    </FormWithKeypad>
  )
}

/** Sets the number and fetches the user, who is set up from then on. */
function useSetUp(onSet: () => void) {
  const { dismissToast, toastFailure } = usePage().toasts
  const { refresh } = useAuth()
  const [setUp, { isLoading }] = useSetUpPinMutation()
  const [failure, setFailure] = useState<string | null>(null)
  const send = async (input: { numericPassword: string; isDiscreet: boolean }) => {
    setFailure(null)
    try {
      await setUp(input).unwrap()
      await refresh()
      dismissToast()
      onSet()
    } catch (error) {
      toastFailure('Password not set', error)
      setFailure(sentenceOf(error, 'Please try again.'))
    }
  }
  return { send, isSending: isLoading, failure }
}
