import { useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'

export interface AccountPasswordDialogProps {
  open: boolean
  title: string
  /** What the action means for the person. */
  children: ReactNode
  action: string
  isDanger?: boolean
  isBusy: boolean
  /** Calls the server; an error is shown below the field. */
  onConfirm: (password: string) => Promise<void>
  /** Shown after a success, until the dialog is closed. */
  doneText: string
  onClose: (isDone: boolean) => void
}

/** Asks for the account password before an action that only the owner of the account may take. */
export function AccountPasswordDialog(props: AccountPasswordDialogProps) {
  const { open, title, children, action, isDanger = false, isBusy, onConfirm, doneText, onClose } = props
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isDone, setIsDone] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const close = () => {
    setPassword('')
    setError(undefined)
    setIsDone(false)
    onClose(isDone)
  }
  const refuse = (sentence: string) => {
    setError(sentence)
    form.current?.querySelector('input')?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (password === '') {
      refuse('Enter your account password.')
      return
    }
    try {
      await onConfirm(password)
      setIsDone(true)
    } catch (failure) {
      const isWrong = asApiError(failure)?.code === 'wrong_credentials'
      refuse(isWrong ? 'This is not your account password.' : sentenceOf(failure, 'Please try again.'))
    }
  }

  return (
    <Dialog open={open} onOpenChange={close} title={title}>
      {isDone ? (
        <div className="space-y-4">
          <p role="status">{doneText}</p>
          <Button className="w-full" autoFocus onClick={close}>
            Done
          </Button>
        </div>
      ) : (
        <form ref={form} className="space-y-4" noValidate onSubmit={(event) => void submit(event)}>
          <div className="space-y-3 text-ink-2">{children}</div>
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
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} className="w-full" isBusy={isBusy}>
            {action}
          </Button>
          <Button variant="secondary" className="w-full" onClick={close}>
            Cancel
          </Button>
        </form>
      )}
    </Dialog>
  )
}
