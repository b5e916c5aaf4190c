import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

const nearEndPx = 120

/**
 * Keeps a scroller at its end while the reader is there, both when content grows and when the scroller shrinks because
 * of the keyboard or the composer. Scrolling up stops this, scrolling back resumes it.
 */
export function useStayAtEnd(scroller: RefObject<HTMLElement | null>): {
  isAtEnd: boolean
  goToEnd: () => void
} {
  const [isAtEnd, setIsAtEnd] = useState(true)
  const stays = useRef(true)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let lastTop = element.scrollTop
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      if (scrollHeight - scrollTop - clientHeight < nearEndPx) stays.current = true
      // A smaller `scrollTop` means that the reader has scrolled up, because content that grows does not lower it.
      else if (scrollTop < lastTop) stays.current = false
      lastTop = scrollTop
      setIsAtEnd(stays.current)
    }
    const onSize = () => {
      if (stays.current) toEnd(element)
    }
    const sizes = new ResizeObserver(onSize)
    sizes.observe(element)
    for (const child of element.children) sizes.observe(child)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller])

  return {
    isAtEnd,
    goToEnd: () => {
      stays.current = true
      setIsAtEnd(true)
      toEnd(scroller.current)
    },
  }
}

function toEnd(element: HTMLElement | null) {
  if (element) element.scrollTop = element.scrollHeight
}
