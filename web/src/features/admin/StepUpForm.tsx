import { useState } from 'react'
import type { FormEvent } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useAuth } from '../session/auth-context.ts'

/** Asks for the account password in place of the list: a sign-in counts as fresh for 15 minutes. */
export function StepUpForm({ username, onDone }: { username: string; onDone: () => void }) {
  const { login } = useAuth()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setError('Enter your account password.')
    setIsBusy(true)
    try {
      await login({ username, password })
      onDone()
    } catch (failure) {
      const isWrong = asApiError(failure)?.code === 'wrong_credentials'
      setError(isWrong ? 'This is not your account password.' : sentenceOf(failure, 'Please try again.'))
    }
    setIsBusy(false)
  }
  return (
    <Card className="mx-auto max-w-md">
      <form className="space-y-4" noValidate onSubmit={(event) => void submit(event)}>
        <p className="text-ink-2">Enter your account password to go on. It counts for 15 minutes.</p>
        <TextField
          label="Account password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={error}
          onChange={({ target }) => {
            setPassword(target.value)
            setError(undefined)
          }}
        />
        <Button type="submit" className="w-full" isBusy={isBusy}>
          Continue
        </Button>
      </form>
    </Card>
  )
}
