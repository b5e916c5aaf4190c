import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { ForgotPasswordDialog } from '../mail-links/ForgotPasswordDialog.tsx'
import { useAuth } from '../session/auth-context.ts'
import { startOf } from '../session/start-of.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { usePage } from '../../page.ts'

export function SignInForm() {
  const { toastFailure } = usePage().toasts
  const { login } = useAuth()
  const navigate = useNavigate()
  const [isForgotten, setIsForgotten] = useState(false)
  const { props, field, faults, isBusy } = useForm({
    fields: ['username', 'password'],
    check: ({ username, password }) => ({
      username: username.trim() === '' ? 'Enter your username.' : undefined,
      password: password === '' ? 'Enter your password.' : undefined,
    }),
    send: async ({ username, password }) =>
      navigate(startOf(await login({ username: username.trim(), password }))),
    refused: (sentence, error) => {
      toastFailure('Login failed', error)
      return { [asApiError(error)?.code === 'wrong_credentials' ? 'password' : 'form']: sentence }
    },
  })

  return (
    <>
      <form className="space-y-4" {...props}>
        <TextField
          label="Username"
          {...field('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField label="Password" {...field('password')} type="password" autoComplete="current-password" />
        <Button variant="ghost" className="-mt-4 mb-2 -ml-5" onClick={() => setIsForgotten(true)}>
          Forgot Password?
        </Button>
        {faults.form && <Notice kind="error">{faults.form}</Notice>}
        <Button type="submit" className="w-full" isBusy={isBusy}>
          {isBusy ? 'Signing In...' : 'Sign In'}
        </Button>
      </form>
      <ForgotPasswordDialog open={isForgotten} onClose={() => setIsForgotten(false)} />
    </>
  )
}
