import { useDroppedFile } from './use-dropped-file.ts'

export interface DroppedFileProps {
  onFile: (file: File) => void
}

/** Takes files that are dropped on the page while it is mounted. It renders nothing. */
export function DroppedFile({ onFile }: DroppedFileProps) {
  useDroppedFile(onFile)
  return null
}
