import type { Ref } from 'react'
import { usePage } from '../../page.ts'

export interface FileInputProps {
  ref: Ref<HTMLInputElement>
  onFiles: (files: readonly File[]) => void
}

/** `openSystemPicker` opens this input, which nobody sees. */
export function FileInput({ ref, onFiles }: FileInputProps) {
  const { pickerGrace } = usePage()
  return (
    <input
      ref={ref}
      type="file"
      hidden
      onChange={({ currentTarget: { files } }) => {
        pickerGrace.end()
        if (files?.length) onFiles([...files])
      }}
    />
  )
}
