import { useEffect, useState } from 'react'

/**
 * Returns whether this render adds older messages. The virtual list then keeps the reader's place relative to the end.
 */
export function useGrowsOnTop(firstSeq: number | undefined): boolean {
  const [before, setBefore] = useState(firstSeq)
  const [isShift, setIsShift] = useState(false)
  if (before !== firstSeq) {
    setBefore(firstSeq)
    setIsShift(before !== undefined && firstSeq !== undefined && firstSeq < before)
  }
  useEffect(() => setIsShift(false), [firstSeq])
  return isShift
}
