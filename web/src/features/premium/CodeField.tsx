import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { TextField } from '../../shared/ui/TextField.tsx'
import type { TextFieldProps } from '../../shared/ui/TextField.tsx'

/** Shows a code in capitals, however it is typed or pasted. */
export function CodeField(props: TextFieldProps) {
  return (
    <TextField
      autoCapitalize="characters"
      autoComplete="off"
      spellCheck={false}
      onInput={({ currentTarget: field }) => {
        const code = decimalDigits(field.value).toUpperCase()
        if (code !== field.value) field.value = code
      }}
      {...props}
    />
  )
}
