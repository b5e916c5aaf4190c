import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Returns whether an element has been scrolled out of its parent, whose top is covered by a bar. */
export function useIsScrolledAway(element: RefObject<HTMLElement | null>, barHeightPx: number): boolean {
  const [isAway, setIsAway] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      ([entry]) => setIsAway(entry !== undefined && !entry.isIntersecting),
      { root: element.current.parentElement, rootMargin: `-${barHeightPx}px 0px 0px` },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, barHeightPx])
  return isAway
}
