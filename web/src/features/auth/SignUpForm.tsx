import { useState } from 'react'
import type { FormEvent } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import type { Registration } from '../session/session-api.ts'
import { focusField, text } from './SignInForm.tsx'
import { toInternational, validateRegistration } from './validate-registration.ts'
import type { RegistrationFaults } from './validate-registration.ts'

export function SignUpForm({ onValid }: { onValid: (registration: Registration) => void }) {
  const [faults, setFaults] = useState<RegistrationFaults>({})

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const registration: Registration = {
      fullName: text(form, 'fullName').trim(),
      username: text(form, 'username').trim(),
      email: text(form, 'email').trim(),
      phone: toInternational(text(form, 'phone')),
      password: text(form, 'password'),
    }
    const found = validateRegistration(registration, text(form, 'confirmPassword'))
    setFaults(found)
    const [first] = Object.keys(found)
    if (first === undefined) onValid(registration)
    else focusField(event.currentTarget, first)
  }

  return (
    <form className="space-y-4" noValidate onSubmit={submit}>
      <TextField label="Full Name" name="fullName" autoComplete="name" error={faults.fullName} />
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        error={faults.username}
      />
      <TextField label="Email" name="email" type="email" autoComplete="email" error={faults.email} />
      <TextField
        label="Phone Number"
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder="+1 555 000 1234"
        hint="We verify it by SMS."
        error={faults.phone}
      />
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
      <Button type="submit" className="w-full">
        Create Account
      </Button>
    </form>
  )
}
