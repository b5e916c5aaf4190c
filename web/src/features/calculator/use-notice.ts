import { useCallback, useEffect, useRef, useState } from 'react'

const shownMs = 1500

/** Returns a short text that disappears by itself, and a function that shows such a text. */
export function useNotice(): [string, (text: string, forMs?: number) => void] {
  const [notice, setNotice] = useState('')
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const notify = useCallback((text: string, forMs = shownMs) => {
    window.clearTimeout(timer.current)
    setNotice(text)
    timer.current = window.setTimeout(() => setNotice(''), forMs)
  }, [])
  return [notice, notify]
}
