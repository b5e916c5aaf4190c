import type { Toasts } from '../../shared/ui/toasts.ts'

/**
 * Returns the first of the dropped files, because the upload widget takes only one. If there are more, a toast asks the
 * person to send the others one by one.
 */
export function oneFile({ toast }: Toasts, files: FileList): File | undefined {
  const [file] = files
  if (file && files.length > 1) {
    const description = `Only ${file.name} was taken. Send the others one by one.`
    toast({ title: 'One file at a time', description, durationMs: 8000 })
  }
  return file
}
