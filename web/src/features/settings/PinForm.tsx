import { useState } from 'react'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { useAuth } from '../session/auth-context.ts'
import { isDiscreet as isDiscreetAccount } from '../session/is-discreet.ts'
import { discreetModeText } from './DiscreetModeSwitch.tsx'
import { FormWithKeypad } from './FormWithKeypad.tsx'
import { newPinFaults } from './new-pin-faults.ts'
import { NewPinFields } from './NewPinFields.tsx'
import { SwitchRow } from './SettingsGroup.tsx'
import { useSetUpPinMutation } from './settings-api.ts'
import { usePage } from '../../page.ts'

export function PinForm({ onSet, onCancel }: { onSet: () => void; onCancel: () => void }) {
  const { dismissToast, toast } = usePage().toasts
  const { user, refresh } = useAuth()
  const [setUp] = useSetUpPinMutation()
  // A reset of the app leaves discreet mode on, so the switch starts with the account's mode.
  const [isDiscreet, setIsDiscreet] = useState(user !== null && isDiscreetAccount(user))
  const refuse = (title: string, description: string) => toast({ title, description, variant: 'destructive' })
  const { props, faults, isBusy } = useForm({
    fields: ['pin', 'confirmation'],
    check: ({ pin, confirmation }) => newPinFaults(pin, confirmation),
    onFault: (sentence, name) =>
      refuse(name === 'pin' ? 'Invalid password' : "Passwords don't match", sentence),
    send: async ({ pin }) => {
      await setUp({ numericPassword: pin, isDiscreet }).unwrap()
      // The refreshed user has a complete set-up.
      await refresh()
      dismissToast()
      onSet()
    },
    refused: (sentence) => {
      refuse('Password not set', sentence)
      return { form: sentence }
    },
  })

  return (
    <FormWithKeypad form={props} fields={<NewPinFields label="Security Password" faults={faults} />}>
      <div className="rounded-2xl border border-line bg-surface">
        <SwitchRow {...discreetModeText} isOn={isDiscreet} onChange={setIsDiscreet} />
      </div>
      {faults.form && <Notice kind="error">{faults.form}</Notice>}
      <Button type="submit" className="w-full" isBusy={isBusy}>
        Set Password &amp; Continue
      </Button>
      <Button variant="secondary" className="w-full" onClick={onCancel}>
        Cancel
      </Button>
    </FormWithKeypad>
  )
}
