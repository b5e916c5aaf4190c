import { registrationLimits as limits } from '@sumlock/contracts/registration-limits'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useChangePasswordMutation } from './settings-api.ts'

const empty = { password: '', newPassword: '' }
type Fields = typeof empty

/** Replaces the account password of an unlocked account. */
export function ChangePasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [change, { isLoading }] = useChangePasswordMutation()
  const [fields, setFields] = useState(empty)
  const [errors, setErrors] = useState<Partial<Fields>>({})
  const [isDone, setIsDone] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const close = () => {
    setFields(empty)
    setErrors({})
    setIsDone(false)
    onClose()
  }
  const refuse = (name: keyof Fields, sentence: string) => {
    setErrors({ [name]: sentence })
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (fields.password === '') return refuse('password', 'Enter your account password.')
    if (fields.newPassword.length < limits.passwordMinLength)
      return refuse('newPassword', `Password must be at least ${limits.passwordMinLength} characters long`)
    try {
      await change(fields).unwrap()
      setIsDone(true)
    } catch (failure) {
      const { code, fields: told } = asApiError(failure) ?? {}
      if (code === 'wrong_credentials') refuse('password', 'This is not your account password.')
      else if (told?.['newPassword']) refuse('newPassword', told['newPassword'])
      else refuse('password', sentenceOf(failure, 'Please try again.'))
    }
  }
  const fieldProps = (name: keyof Fields) => ({
    name,
    type: 'password',
    value: fields[name],
    error: errors[name],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setFields({ ...fields, [name]: target.value })
      setErrors({})
    },
  })

  return (
    <Dialog open={open} onOpenChange={close} title="Change account password">
      {isDone ? (
        <div className="space-y-4">
          <p role="status">Your account password was changed. You are signed out everywhere else.</p>
          <Button className="w-full" autoFocus onClick={close}>
            Done
          </Button>
        </div>
      ) : (
        <form ref={form} className="space-y-4" noValidate onSubmit={(event) => void submit(event)}>
          <p className="text-ink-2">
            The password you sign in with. It signs you out on every other device and browser.
          </p>
          <TextField label="Account password" autoComplete="current-password" {...fieldProps('password')} />
          <TextField
            label="New account password"
            hint={`Must be at least ${limits.passwordMinLength} characters long`}
            autoComplete="new-password"
            {...fieldProps('newPassword')}
          />
          <Button type="submit" className="w-full" isBusy={isLoading}>
            Change account password
          </Button>
          <Button variant="secondary" className="w-full" onClick={close}>
            Cancel
          </Button>
        </form>
      )}
    </Dialog>
  )
}
