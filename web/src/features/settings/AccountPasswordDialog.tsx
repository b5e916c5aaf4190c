import { useState } from 'react'
import type { HTMLInputTypeAttribute, ReactNode } from 'react'
import { asApiError } from '../../api/base-api.ts'
import { faultOf, loadAccountFields } from '../../shared/lib/field-rules.ts'
import type { Faults } from '../../shared/lib/form-fields.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'

/** Describes a second field, below the account password. */
export interface DialogField {
  name: string
  label: string
  type: HTMLInputTypeAttribute
  autoComplete: string
  hint?: string
  /** The contract's rule for this field applies to the value. */
  rule: 'email' | 'fullName' | 'password'
}

export interface AccountPasswordDialogProps {
  open: boolean
  title: string
  /** The children explain to the person what the action means. */
  children: ReactNode
  field?: DialogField
  action: string
  isDanger?: boolean
  /**
   * Calls the server with the password and the value of `field`. An error is shown below the field that it concerns.
   */
  onConfirm: (password: string, value: string) => Promise<void>
  /** This text is shown after a success, until the dialog is closed. */
  doneText: string
  onClose: (isDone: boolean) => void
}

/** Requires the account password before an action that is reserved for the owner of the account. */
export function AccountPasswordDialog(props: AccountPasswordDialogProps) {
  const { open, title, doneText, onClose } = props
  const [isDone, setIsDone] = useState(false)
  const close = () => {
    setIsDone(false)
    onClose(isDone)
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
        <PasswordForm {...props} onDone={() => setIsDone(true)} onCancel={close} />
      )}
    </Dialog>
  )
}

interface PasswordFormProps extends AccountPasswordDialogProps {
  onDone: () => void
  onCancel: () => void
}

function PasswordForm(props: PasswordFormProps) {
  const { children, field, action, isDanger = false, onConfirm, onDone, onCancel } = props
  const form = useForm({
    fields: ['password', ...(field ? [field.name] : [])],
    load: loadAccountFields,
    check: (values, rules): Faults<string> => {
      if (values['password'] === '') return { password: 'Enter your account password.' }
      return field ? { [field.name]: faultOf(rules[field.rule], values[field.name] ?? '') } : {}
    },
    send: async ({ password = '', ...values }) => {
      await onConfirm(password, (field && values[field.name]) ?? '')
      onDone()
    },
    refused: (sentence, error) => ({
      password:
        asApiError(error)?.code === 'wrong_credentials' ? 'This is not your account password.' : sentence,
    }),
  })
  return (
    <form className="space-y-4" {...form.props}>
      <div className="space-y-3 text-ink-2">{children}</div>
      <TextField
        label="Account password"
        type="password"
        autoComplete="current-password"
        {...form.field('password')}
      />
      {field && (
        <TextField
          label={field.label}
          type={field.type}
          autoComplete={field.autoComplete}
          hint={field.hint}
          {...form.field(field.name)}
        />
      )}
      <Button type="submit" variant={isDanger ? 'danger' : 'primary'} className="w-full" isBusy={form.isBusy}>
        {action}
      </Button>
      <Button variant="secondary" className="w-full" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
