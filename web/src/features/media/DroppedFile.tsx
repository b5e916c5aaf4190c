import { useDroppedFile } from './use-dropped-file.ts'

export interface DroppedFileProps {
  onFile: (file: File) => void
}

/** Passes a file that is dropped on the page to `onFile` while this component is mounted. It renders nothing. */
export function DroppedFile({ onFile }: DroppedFileProps) {
  useDroppedFile(onFile)
  return null
}
