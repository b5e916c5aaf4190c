import { useEffect, useEffectEvent } from 'react'

/** Calls back when Ctrl+F or Cmd+F is pressed while neither the cover nor a dialog is above the chat. */
export function useSearchKey(onSearch: () => void): void {
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key !== 'f' || ctrlKey === metaKey || altKey || shiftKey) return
      if (document.querySelector('.is-covered, dialog[open]')) return
      event.preventDefault()
      search()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
