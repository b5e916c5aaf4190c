import { useRef } from 'react'
import type { ReactNode, RefObject, SubmitEvent } from 'react'
import { PinPad, pressInto } from './PinPad.tsx'

export const fieldOf = (form: HTMLFormElement | null, name: string): HTMLInputElement | undefined => {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field : undefined
}

interface FormWithKeypadProps {
  ref: RefObject<HTMLFormElement | null>
  /** The name of the field that the keys write into before any field has had the focus. */
  firstField: string
  onSubmit: () => void
  fields: ReactNode
  /** Below the keys. */
  children: ReactNode
}

/** Fields above our keys, which write into the field that last had the focus. */
export function FormWithKeypad({ ref, firstField, onSubmit, fields, children }: FormWithKeypadProps) {
  const lastField = useRef(firstField)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form
      ref={ref}
      className="mt-5 space-y-4"
      noValidate
      onSubmit={submit}
      onFocus={({ target }) => {
        if (target instanceof HTMLInputElement) lastField.current = target.name
      }}
    >
      {fields}
      <PinPad
        onKey={(key) => {
          const field = fieldOf(ref.current, lastField.current)
          if (field) pressInto(field, key)
        }}
      />
      {children}
    </form>
  )
}
