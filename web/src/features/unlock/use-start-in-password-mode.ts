import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/**
 * Returns whether another screen requested password mode. The state is removed after its use, because the browser keeps
 * it across a reload.
 */
export function useStartInPasswordMode(): boolean {
  const { state } = useLocation() as { state: { passwordMode?: boolean } | null }
  const navigate = useNavigate()
  const [isAsked] = useState(state?.passwordMode === true)
  useEffect(() => {
    if (state !== null) void navigate('.', { replace: true, state: null })
  }, [state, navigate])
  return isAsked
}
