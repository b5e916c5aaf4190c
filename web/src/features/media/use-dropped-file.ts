import { useEffect, useEffectEvent } from 'react'
import { usePage } from '../../page.ts'
import { oneFile } from './one-file.ts'

/**
 * Takes the first of the files that are dropped anywhere on the page. Otherwise, the browser would leave the page and
 * open the file.
 */
export function useDroppedFile(take: (file: File) => void): void {
  const { toasts } = usePage()
  const onFile = useEffectEvent(take)
  useEffect(() => {
    const allow = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer && oneFile(toasts, event.dataTransfer.files)
      if (!file) return
      event.preventDefault()
      onFile(file)
    }
    document.addEventListener('dragover', allow)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', allow)
      document.removeEventListener('drop', drop)
    }
  }, [toasts])
}
