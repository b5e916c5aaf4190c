import type { Toasts } from '../../shared/ui/toasts.ts'

/**
 * Returns the first of the pasted or dropped files, because a message holds only one. If there are more, a toast asks
 * the person to send the others one by one.
 */
export function oneFile({ toast }: Toasts, files: FileList): File | undefined {
  const [file] = files
  if (file && files.length > 1) {
    const description = `Only ${file.name} was taken. Send the others one by one.`
    toast({ title: 'One file at a time', description, durationMs: 8000 })
  }
  return file
}

/**
 * Returns the pasted file, or undefined if text was pasted. Spreadsheets and editors add a picture of the copied text,
 * so a paste with text counts as text, unless its lines are only the names of the files, which file managers add.
 */
export function pastedFile(toasts: Toasts, pasted: DataTransfer): File | undefined {
  const lines = pasted.getData('text/plain').split(/[\r\n]+/)
  const names = new Set(Array.from(pasted.files, ({ name }) => name))
  return lines.every((line) => line.trim() === '' || names.has(line))
    ? oneFile(toasts, pasted.files)
    : undefined
}
