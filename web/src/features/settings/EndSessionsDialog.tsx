import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useEndOtherSessionsMutation } from './settings-api.ts'

export interface EndSessionsDialogProps {
  open: boolean
  onClose: () => void
  onEnded?: () => void
}

/** Asks for the account password and signs the account out everywhere else. */
export function EndSessionsDialog({ open, onClose, onEnded }: EndSessionsDialogProps) {
  const [endOthers, { isLoading }] = useEndOtherSessionsMutation()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isDone, setIsDone] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const close = () => {
    setPassword('')
    setError(undefined)
    if (isDone) onEnded?.()
    setIsDone(false)
    onClose()
  }
  const refuse = (sentence: string) => {
    setError(sentence)
    form.current?.querySelector('input')?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') {
      refuse('Enter your account password.')
      return
    }
    try {
      await endOthers({ password }).unwrap()
      setIsDone(true)
    } catch (failure) {
      const isWrong = asApiError(failure)?.code === 'wrong_credentials'
      refuse(isWrong ? 'This is not your account password.' : sentenceOf(failure, 'Please try again.'))
    }
  }

  return (
    <Dialog open={open} onOpenChange={close} title="End other sessions">
      {isDone ? (
        <div className="space-y-4">
          <p role="status">You are signed out everywhere else.</p>
          <Button className="w-full" autoFocus onClick={close}>
            Done
          </Button>
        </div>
      ) : (
        <form ref={form} className="space-y-4" onSubmit={(event) => void submit(event)}>
          <p className="text-ink-2">
            This signs you out on every other device and browser. You stay signed in here.
          </p>
          <TextField
            label="Account password"
            type="password"
            autoComplete="current-password"
            value={password}
            error={error}
            onChange={(event) => {
              setPassword(event.target.value)
              setError(undefined)
            }}
          />
          <Button type="submit" className="w-full" disabled={isLoading}>
            End other sessions
          </Button>
          <Button variant="secondary" className="w-full" onClick={close}>
            Cancel
          </Button>
        </form>
      )}
    </Dialog>
  )
}
