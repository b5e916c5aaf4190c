import type { Ref, SubmitEvent } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import type { Registration } from '../session/session-api.ts'
import { focusField, stillFaulty, textOf } from '../../shared/lib/form-fields.ts'
import { PhoneField } from './PhoneField.tsx'
import { toInternational, validateRegistration } from './validate-registration.ts'
import type { RegistrationFaults } from './validate-registration.ts'

export interface SignUpFormProps {
  ref: Ref<HTMLFormElement>
  faults: RegistrationFaults
  isBusy: boolean
  onFaults: (faults: RegistrationFaults) => void
  onValid: (registration: Registration) => void
}

function read(form: HTMLFormElement) {
  const registration: Registration = {
    fullName: textOf(form, 'fullName').trim(),
    username: textOf(form, 'username').trim(),
    email: textOf(form, 'email').trim(),
    phone: toInternational(textOf(form, 'phone')),
    password: textOf(form, 'password'),
  }
  return { registration, found: validateRegistration(registration, textOf(form, 'confirmPassword')) }
}

export function SignUpForm({ ref, faults, isBusy, onFaults, onValid }: SignUpFormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { registration, found } = read(event.currentTarget)
    onFaults(found)
    const [first] = Object.keys(found)
    if (first === undefined) onValid(registration)
    else focusField(event.currentTarget, first)
  }

  return (
    <form
      ref={ref}
      className="space-y-4"
      noValidate
      onSubmit={submit}
      onInput={({ currentTarget }) => onFaults(stillFaulty(faults, read(currentTarget).found))}
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
