import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import type { CSSProperties } from 'react'
import { useMediaQuery } from '../../shared/lib/use-media-query.ts'
import { TextField } from '../../shared/ui/TextField.tsx'

const digitsOnly = (text: string) => decimalDigits(text).replace(/\D/g, '')

// The digits are shown as dots, but not in a password field: a browser would offer to save the number with the
// calculator's address.
const dots = { WebkitTextSecurity: 'disc' } as CSSProperties
const ignoredByPasswordManagers = { autoComplete: 'off', 'data-1p-ignore': true, 'data-lpignore': 'true' }

export interface PinFieldProps {
  name: string
  label: string
  hint?: string
  error: string | undefined
  onDigits?: (digits: string) => void
}

/**
 * Shows a field that accepts only digits. On touch screens the device's keyboard stays hidden, because the app's own
 * keys are below the fields.
 */
export function PinField({ onDigits, ...rest }: PinFieldProps) {
  const isTouch = useMediaQuery('(pointer: coarse)')
  return (
    <TextField
      type="text"
      inputMode={isTouch ? 'none' : 'numeric'}
      spellCheck={false}
      style={dots}
      onInput={({ currentTarget: field }) => {
        const digits = digitsOnly(field.value)
        if (digits !== field.value) field.value = digits
        onDigits?.(digits)
      }}
      {...ignoredByPasswordManagers}
      {...rest}
    />
  )
}
