import { useRef } from 'react'
import type { ReactNode } from 'react'
import type { Form } from '../../shared/lib/use-form.ts'
import { PinPad, pressInto } from './PinPad.tsx'

interface FormWithKeypadProps {
  form: Form<never>['props']
  fields: ReactNode
  /** The children are shown below the keys. */
  children: ReactNode
}

/**
 * Shows fields above the app's own keys. The keys write into the field that last had the focus, or into the first one
 * if none had it.
 */
export function FormWithKeypad({ form, fields, children }: FormWithKeypadProps) {
  const lastField = useRef<HTMLInputElement>(null)
  return (
    <form
      className="mt-5 space-y-4"
      {...form}
      onFocus={({ target }) => {
        if (target instanceof HTMLInputElement) lastField.current = target
      }}
    >
      {fields}
      <PinPad
        onKey={(key) => {
          const field = lastField.current ?? form.ref.current?.querySelector('input')
          if (field) pressInto(field, key)
        }}
      />
      {children}
    </form>
  )
}
