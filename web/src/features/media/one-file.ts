import type { Toasts } from '../../shared/ui/toasts.ts'

/**
 * Returns the first of the pasted or dropped files. Only one can be sent at a time; a toast says so if there are more.
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
 * Returns the file of a paste. Cells and formatted text come with a picture of themselves, so text wins, except for the
 * names that a file manager adds to its files.
 */
export function pastedFile(toasts: Toasts, pasted: DataTransfer): File | undefined {
  const lines = pasted.getData('text/plain').split(/[\r\n]+/)
  const names = new Set(Array.from(pasted.files, ({ name }) => name))
  return lines.every((line) => line.trim() === '' || names.has(line))
    ? oneFile(toasts, pasted.files)
    : undefined
}
