import type { PickerGrace } from '../lock/picker-grace.ts'

export type MediaFrom = 'camera' | 'gallery'

/** Holds the files that a person has chosen for a message. */
export interface ChosenFiles {
  files: readonly File[]
  from: MediaFrom
  caption?: string
  /** Whether the receiver can open the files once. */
  isOnce?: boolean | undefined
  /** Called when the files are on their way. */
  onSent?: () => void
}

/**
 * Opens the system's picker or camera within the tap, because browsers allow no later call. The page may be hidden
 * behind it.
 */
export function openSystemPicker(
  input: HTMLInputElement,
  { isCamera, isMultiple }: { isCamera: boolean; isMultiple: boolean },
  { arm, end }: PickerGrace,
): void {
  // Without this, a file that is chosen again would be no change.
  input.value = ''
  input.accept = isCamera ? 'image/*' : 'image/*,video/*'
  input.multiple = isMultiple
  if (isCamera) input.setAttribute('capture', 'environment')
  else input.removeAttribute('capture')
  input.oncancel = end
  arm()
  input.click()
}

/**
 * Returns the pasted files; none if text was pasted. Spreadsheets and editors add a picture of the copied text, so a
 * paste with text counts as text, unless its lines are only the names of the files, which file managers add.
 */
export function pastedFiles(pasted: DataTransfer): readonly File[] {
  const files = [...pasted.files]
  const lines = pasted.getData('text/plain').split(/[\r\n]+/)
  const isText = lines.some((line) => line.trim() !== '' && !files.some(({ name }) => name === line))
  return isText ? [] : files
}
