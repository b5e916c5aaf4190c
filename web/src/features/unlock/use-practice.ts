import { useState } from 'react'
import { useLocation } from 'react-router-dom'

/** Whether the person came from the set-up to practise the unlock, until they have stopped. */
export function usePractice() {
  const { state } = useLocation() as { state: { practice?: boolean } | null }
  const [isPractising, setIsPractising] = useState(state?.practice === true)
  return { isPractising, stop: () => setIsPractising(false) }
}
