import { useState } from 'react'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { toastFailure } from '../../api/toast-failure.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useAuth } from '../session/auth-context.ts'

export function SignInForm() {
  const { login } = useAuth()
  const navigate = useNavigate()
  const [isPending, setIsPending] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget } = event
    const form = new FormData(currentTarget)
    setIsPending(true)
    try {
      await login({ username: text(form, 'username'), password: text(form, 'password') })
      void navigate('/')
    } catch (error) {
      toastFailure('Login failed', error)
      setIsPending(false)
      focusField(currentTarget, 'password')
    }
  }

  return (
    <form className="space-y-4" onSubmit={(event) => void submit(event)}>
      <TextField label="Username" name="username" autoComplete="username" autoCapitalize="none" required />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button type="submit" className="w-full" disabled={isPending}>
        {isPending ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  )
}

export const text = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.focus()
}
