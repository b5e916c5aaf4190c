import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'

const redirectAfterMs = 3000

/** Goes to the sign-in three seconds after `isDone` becomes true. Returns a function that goes there at once. */
export function useRedirectToSignIn(isDone: boolean): () => void {
  const navigate = useNavigate()
  // The sign-in replaces this page's entry in the history, because the token in its address is used up.
  const go = useCallback(() => void navigate('/auth', { replace: true }), [navigate])
  useEffect(() => {
    if (!isDone) return
    const timer = window.setTimeout(go, redirectAfterMs)
    return () => window.clearTimeout(timer)
  }, [isDone, go])
  return go
}
