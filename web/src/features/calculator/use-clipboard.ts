import { useEffect, useEffectEvent } from 'react'
import { isTypedElsewhere } from './use-keyboard.ts'

interface ClipboardUse {
  onCopy: (clipboard: DataTransfer) => void
  onPaste: (text: string) => void
  isEnabled: boolean
}

/**
 * Lets copy and paste commands of the keyboard use the number on the display, unless text is selected or a field has
 * the focus.
 */
export function useClipboard({ onCopy, onPaste, isEnabled }: ClipboardUse): void {
  const onCopyEvent = useEffectEvent((event: ClipboardEvent) => {
    if (isTypedElsewhere(event) || window.getSelection()?.isCollapsed === false) return
    event.preventDefault()
    if (event.clipboardData) onCopy(event.clipboardData)
  })
  const onPasteEvent = useEffectEvent((event: ClipboardEvent) => {
    if (isTypedElsewhere(event)) return
    event.preventDefault()
    onPaste(event.clipboardData?.getData('text/plain') ?? '')
  })
  useEffect(() => {
    if (!isEnabled) return
    const copy = (event: ClipboardEvent) => onCopyEvent(event)
    const paste = (event: ClipboardEvent) => onPasteEvent(event)
    document.addEventListener('copy', copy)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('paste', paste)
    }
  }, [isEnabled])
}
