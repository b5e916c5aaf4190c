import { useRef, useState } from 'react'
import type { FormEvent, HTMLInputTypeAttribute, ReactNode, RefObject } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { faultOf, loadAccountFields, noRules, useRules } from '../../shared/lib/field-rules.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'

/** A field below that of the account password. */
export interface DialogField {
  name: string
  label: string
  type: HTMLInputTypeAttribute
  autoComplete: string
  hint?: string
  /** The contract's rule of the value, by the name of the field there. */
  rule: 'email' | 'fullName' | 'password'
}

export interface AccountPasswordDialogProps {
  open: boolean
  title: string
  /** What the action means for the person. */
  children: ReactNode
  field?: DialogField
  action: string
  isDanger?: boolean
  isBusy: boolean
  /** Calls the server with the password and the value of `field`; an error is shown below the field that it is about. */
  onConfirm: (password: string, value: string) => Promise<void>
  /** Shown after a success, until the dialog is closed. */
  doneText: string
  onClose: (isDone: boolean) => void
}

const passwordName = 'password'

/** Asks for the account password before an action that only the owner of the account may take. */
export function AccountPasswordDialog(props: AccountPasswordDialogProps) {
  const { open, title, children, field, action, isDanger = false, isBusy, doneText, onClose } = props
  const [isDone, setIsDone] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  const form = useForm(props, formElement, () => setIsDone(true))
  const close = () => {
    form.clear()
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
        <form
          ref={formElement}
          className="space-y-4"
          noValidate
          onSubmit={(event) => void form.submit(event)}
        >
          <div className="space-y-3 text-ink-2">{children}</div>
          <TextField
            label="Account password"
            type="password"
            autoComplete="current-password"
            {...form.propsOf(passwordName)}
          />
          {field && (
            <TextField
              label={field.label}
              type={field.type}
              autoComplete={field.autoComplete}
              hint={field.hint}
              {...form.propsOf(field.name)}
            />
          )}
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

/** The values of the form and the error of one of them. */
function useForm(
  { field, isBusy, onConfirm }: AccountPasswordDialogProps,
  element: RefObject<HTMLFormElement | null>,
  onDone: () => void,
) {
  const [values, setValues] = useState<Record<string, string>>({})
  const [error, setError] = useState<{ name: string; sentence: string }>()
  const rules = useRules(loadAccountFields)
  const password = values[passwordName] ?? ''
  const value = (field && values[field.name]) ?? ''

  const refuse = (name: string, sentence: string) => {
    setError({ name, sentence })
    element.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (password === '') return refuse(passwordName, 'Enter your account password.')
    const loaded = await rules.get()
    if (!loaded) return refuse(passwordName, noRules)
    const fault = field && faultOf(loaded[field.rule], value)
    if (field && fault) return refuse(field.name, fault)
    try {
      await onConfirm(password, value)
      onDone()
    } catch (failure) {
      const { code, fields } = asApiError(failure) ?? {}
      const told = field && fields?.[field.name]
      if (told) refuse(field.name, told)
      else if (code === 'wrong_credentials') refuse(passwordName, 'This is not your account password.')
      else refuse(passwordName, sentenceOf(failure, 'Please try again.'))
    }
  }
  return {
    submit,
    clear: () => {
      setValues({})
      setError(undefined)
    },
    propsOf: (name: string) => ({
      name,
      value: values[name] ?? '',
      error: error?.name === name ? error.sentence : undefined,
      onChange: ({ target }: { target: HTMLInputElement }) => {
        setValues({ ...values, [name]: target.value })
        setError(undefined)
      },
    }),
  }
}
