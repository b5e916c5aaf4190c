import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'

const redirectAfterMs = 3000

/** Goes to the sign-in three seconds after the page is done. Returns a function that goes there at once. */
export function useRedirectToSignIn(isDone: boolean): () => void {
  const navigate = useNavigate()
  // Replaces the page's own entry in the history, because its token is used up.
  const go = useCallback(() => void navigate('/auth', { replace: true }), [navigate])
  useEffect(() => {
    if (!isDone) return
    const timer = window.setTimeout(go, redirectAfterMs)
    return () => window.clearTimeout(timer)
  }, [isDone, go])
  return go
}
