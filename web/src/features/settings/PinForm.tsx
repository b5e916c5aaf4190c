import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { toastFailure } from '../../api/toast-failure.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { WarningIcon } from '../../shared/ui/icons.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { dismissToast, toast } from '../../shared/ui/toast.ts'
import { useAuth } from '../session/auth-context.ts'
import { isCommonPin } from './common-pin.ts'
import { discreetModeText } from './DiscreetModeSwitch.tsx'
import { PinField } from './PinField.tsx'
import { PinPad, pressInto } from './PinPad.tsx'
import { SwitchRow } from './SettingsGroup.tsx'
import { useSetUpPinMutation } from './settings-api.ts'

type FieldName = 'pin' | 'confirmation'

interface Fault {
  field: FieldName
  title: string
  description: string
}

function faultOf(pin: string, confirmation: string): Fault | null {
  const invalid = { field: 'pin', title: 'Invalid password' } as const
  if (pin === '') return { ...invalid, description: 'Password must contain only numbers' }
  if (pin.length < limits.pinMinLength)
    return { ...invalid, description: `Use at least ${limits.pinMinLength} digits.` }
  if (pin !== confirmation)
    return {
      field: 'confirmation',
      title: "Passwords don't match",
      description: 'Please confirm your password',
    }
  return null
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | undefined {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field : undefined
}

export function PinForm({ onSet, onCancel }: { onSet: () => void; onCancel: () => void }) {
  const { send, isSending, failure } = useSetUp(onSet)
  const [pin, setPin] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [isDiscreet, setIsDiscreet] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const lastField = useRef<string>('pin')

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const found = faultOf(pin, confirmation)
    setFault(found)
    if (found) {
      const { title, description } = found
      toast({ title, description, variant: 'destructive' })
      fieldOf(form.current, found.field)?.focus()
      return
    }
    void send({ numericPassword: pin, isDiscreet })
  }
  const fieldProps = (name: FieldName, onChange: (digits: string) => void) => ({
    name,
    error: fault?.field === name ? fault.description : undefined,
    onChange: (digits: string) => {
      onChange(digits)
      setFault(null)
    },
  })

  return (
    <form
      ref={form}
      className="mt-5 space-y-4"
      noValidate
      onSubmit={submit}
      onFocus={({ target }) => {
        if (target instanceof HTMLInputElement) lastField.current = target.name
      }}
    >
      <div>
        <PinField
          label="Numeric Password"
          hint={`${limits.pinMinLength} to ${limits.pinMaxLength} digits`}
          value={pin}
          {...fieldProps('pin', setPin)}
        />
        <p role="status" className="mt-1.5 flex gap-1.5 text-sm text-warn empty:hidden">
          {isCommonPin(pin) && (
            <>
              <WarningIcon size={16} className="mt-0.5 shrink-0" />
              Many people choose this number. One that is harder to guess is safer.
            </>
          )}
        </p>
      </div>
      <PinField
        label="Confirm Numeric Password"
        value={confirmation}
        {...fieldProps('confirmation', setConfirmation)}
      />
      <PinPad
        onKey={(key) => {
          const field = fieldOf(form.current, lastField.current)
          if (field) pressInto(field, key)
        }}
      />
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
    </form>
  )
}

/** Sets the number and fetches the user, who is set up from then on. */
function useSetUp(onSet: () => void) {
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
