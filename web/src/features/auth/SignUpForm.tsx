import type { InputEvent, Ref, SubmitEvent } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import type { Registration } from '../session/session-api.ts'
import { noRules, useRules } from '../../shared/lib/field-rules.ts'
import { focusField, stillFaulty, textOf } from '../../shared/lib/form-fields.ts'
import { PhoneField } from './PhoneField.tsx'
import { loadSignUpRules } from './sign-up-rules.ts'
import { validateRegistration } from './validate-registration.ts'
import type { RegistrationFaults } from './validate-registration.ts'
import { usePage } from '../../page.ts'

export interface SignUpFormProps {
  ref: Ref<HTMLFormElement>
  faults: RegistrationFaults
  isBusy: boolean
  onFaults: (faults: RegistrationFaults) => void
  onValid: (registration: Registration) => void
}

const read = (form: HTMLFormElement) => ({
  fullName: textOf(form, 'fullName').trim(),
  username: textOf(form, 'username').trim(),
  email: textOf(form, 'email').trim(),
  phone: textOf(form, 'phone'),
  password: textOf(form, 'password'),
  confirmPassword: textOf(form, 'confirmPassword'),
})

export function SignUpForm({ ref, faults, isBusy, onFaults, onValid }: SignUpFormProps) {
  const { toast } = usePage().toasts
  const rules = useRules(loadSignUpRules)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const loaded = await rules.get()
    if (!loaded) return toast({ title: 'Registration failed', description: noRules, variant: 'destructive' })
    const { registration, faults: found } = validateRegistration(read(form), loaded)
    onFaults(found)
    const [first] = Object.keys(found)
    if (first === undefined) onValid(registration)
    else focusField(form, first)
  }
  const onInput = ({ currentTarget }: InputEvent<HTMLFormElement>) => {
    const { current } = rules.loaded
    if (current) onFaults(stillFaulty(faults, validateRegistration(read(currentTarget), current).faults))
  }

  return (
    <form
      ref={ref}
      className="space-y-4"
      noValidate
      onSubmit={(event) => void submit(event)}
      onInput={onInput}
    >
      <TextField label="Full Name" name="fullName" autoComplete="name" dir="auto" error={faults.fullName} />
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={faults.username}
      />
      <TextField label="Email" name="email" type="email" autoComplete="email" error={faults.email} />
      <PhoneField error={faults.phone} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        error={faults.password}
      />
      <TextField
        label="Confirm Password"
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        error={faults.confirmPassword}
      />
      <Button type="submit" className="w-full" isBusy={isBusy}>
        Create Account
      </Button>
    </form>
  )
}
