import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { ForgotPasswordDialog } from '../mail-links/ForgotPasswordDialog.tsx'
import { useAuth } from '../session/auth-context.ts'
import { startOf } from '../session/start-of.ts'
import { focusField, stillFaulty, textOf } from '../../shared/lib/form-fields.ts'
import { usePage } from '../../page.ts'

interface Faults {
  username?: string
  password?: string
  /** Of the whole form. */
  form?: string
}

const read = (form: HTMLFormElement) => ({
  username: textOf(form, 'username').trim(),
  password: textOf(form, 'password'),
})

function faultsOf({ username, password }: ReturnType<typeof read>): Faults {
  return {
    ...(username === '' ? { username: 'Enter your username.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  }
}

export function SignInForm() {
  const { toastFailure } = usePage().toasts
  const { login } = useAuth()
  const navigate = useNavigate()
  const [isPending, setIsPending] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [isForgotten, setIsForgotten] = useState(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget } = event
    const credentials = read(currentTarget)
    const found = faultsOf(credentials)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first !== undefined) {
      focusField(currentTarget, first)
      return
    }
    setIsPending(true)
    try {
      void navigate(startOf(await login(credentials)))
    } catch (error) {
      toastFailure('Login failed', error)
      setIsPending(false)
      const field = asApiError(error)?.code === 'wrong_credentials' ? 'password' : 'form'
      setFaults({ [field]: sentenceOf(error, 'Please try again.') })
      focusField(currentTarget, 'password')
    }
  }

  return (
    <>
      <form
        className="space-y-4"
        noValidate
        onSubmit={(event) => void submit(event)}
        onInput={({ currentTarget }) => setFaults(stillFaulty(faults, faultsOf(read(currentTarget))))}
      >
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={faults.username}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          error={faults.password}
        />
        <Button variant="ghost" className="-my-2 -ml-5" onClick={() => setIsForgotten(true)}>
          Forgot Password?
        </Button>
        {faults.form && <Notice kind="error">{faults.form}</Notice>}
        <Button type="submit" className="w-full" isBusy={isPending}>
          {isPending ? 'Signing In...' : 'Sign In'}
        </Button>
      </form>
      <ForgotPasswordDialog open={isForgotten} onClose={() => setIsForgotten(false)} />
    </>
  )
}
