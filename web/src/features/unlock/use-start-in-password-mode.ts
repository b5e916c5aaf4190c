import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** Whether another screen asked for the number. The browser keeps such a state over a reload, so it is used once. */
export function useStartInPasswordMode(): boolean {
  const { state } = useLocation() as { state: { passwordMode?: boolean } | null }
  const navigate = useNavigate()
  const [isAsked] = useState(state?.passwordMode === true)
  useEffect(() => {
    if (state !== null) void navigate('.', { replace: true, state: null })
  }, [state, navigate])
  return isAsked
}
