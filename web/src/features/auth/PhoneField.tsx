import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { useEffect, useRef } from 'react'
import { TextField } from '../../shared/ui/TextField.tsx'
import { usePhoneFormat } from './use-phone-format.ts'

const countIn = (text: string) => decimalDigits(text).replace(/[^\d+]/g, '').length

/**
 * Returns the caret position in `text` that has `count` digits before it, so that formatting does not move the caret.
 */
function caretAfter(count: number, text: string): number {
  let at = 0
  while (at < text.length && countIn(text.slice(0, at)) < count) at += 1
  return at
}

function formatField(field: HTMLInputElement, format: (text: string) => string): void {
  const { value, selectionStart } = field
  const formatted = format(value)
  if (formatted === value) return
  const caret = selectionStart ?? value.length
  field.value = formatted
  // Safari gives the focus to a field whose caret is set.
  if (document.activeElement !== field) return
  const next =
    caret === value.length ? formatted.length : caretAfter(countIn(value.slice(0, caret)), formatted)
  field.setSelectionRange(next, next)
}

/**
 * Shows a field for a phone number with its country code. The number is formatted while it is typed; what was typed
 * before the formatter was loaded is formatted then.
 */
export function PhoneField(props: { name: string; error: string | undefined }) {
  const format = usePhoneFormat()
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current) formatField(ref.current, format)
  }, [format])
  return (
    <TextField
      ref={ref}
      label="Phone Number"
      type="tel"
      autoComplete="tel"
      placeholder="+1 555 000 1234"
      hint="With its country code. We verify it by SMS."
      {...props}
      onInput={({ currentTarget }) => formatField(currentTarget, format)}
    />
  )
}
