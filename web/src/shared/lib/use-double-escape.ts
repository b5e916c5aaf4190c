import { useEffect, useEffectEvent } from 'react'

const withinMs = 600

/** Calls back when Escape is pressed twice within 600 ms, also while a dialog or a field has the focus. */
export function useDoubleEscape(onTwice: () => void): void {
  const leave = useEffectEvent(onTwice)
  useEffect(() => {
    let lastAt = -Infinity
    const onKeyDown = (event: KeyboardEvent) => {
      // Ignore the repeats of a held key, and input methods, which use Escape themselves.
      if (event.repeat || event.isComposing) return
      if (event.key === 'Escape' && event.timeStamp - lastAt <= withinMs) leave()
      lastAt = event.key === 'Escape' ? event.timeStamp : -Infinity
    }
    // In the capture phase, because the focused element may stop the event.
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [])
}
