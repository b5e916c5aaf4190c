import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

const nearEndPx = 120
/** After one of these, the person decides what is on the screen. */
const touches = ['pointerdown', 'wheel', 'keydown'] as const

export interface StayOptions {
  /** Whether later messages are still to be fetched, so that the end of the content is not the end of the chat. */
  hasNewer: boolean
  /** Returns the `scrollTop` that shows the line above the unread messages. */
  lineTop: () => number
}

/**
 * Keeps a scroller at its place when content grows and when it shrinks because of the keyboard or the composer: at its
 * end while the reader is there, or at the unread line until the reader moves. Scrolling up stops this, scrolling back
 * to the end resumes it.
 */
export function useStayAtEnd(scroller: RefObject<HTMLElement | null>, options: StayOptions) {
  const [isAtEnd, setIsAtEnd] = useState(true)
  const place = useRef<'end' | 'line' | null>('end')
  const isMoving = useRef(false)
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let lastTop = element.scrollTop
    const isNearEnd = () =>
      !latest.current.hasNewer && element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx
    const note = () => setIsAtEnd(place.current === 'end' || isNearEnd())
    const isFarFromLine = () => {
      const line = element.querySelector('[data-line]')
      return !line || Math.abs(topOf(line) - topOf(element)) > element.clientHeight / 2
    }
    const onScroll = () => {
      const { scrollTop } = element
      // A screen reader scrolls without a touch.
      if (place.current === 'line' && !isMoving.current && isFarFromLine()) place.current = null
      isMoving.current = false
      if (place.current !== 'line') {
        if (isNearEnd()) place.current = 'end'
        // A smaller `scrollTop` means that the reader has scrolled up, because content that grows does not lower it.
        else if (scrollTop < lastTop) place.current = null
      }
      lastTop = scrollTop
      note()
    }
    const onSize = () => {
      if (place.current === 'end') scrollTo(element)
      if (place.current === 'line') toLine()
      note()
    }
    const toLine = () => {
      isMoving.current = true
      scrollTo(element, latest.current.lineTop())
    }
    const onTouch = () => {
      if (place.current === 'line') place.current = isNearEnd() ? 'end' : null
    }
    const sizes = new ResizeObserver(onSize)
    sizes.observe(element)
    for (const child of element.children) sizes.observe(child)
    element.addEventListener('scroll', onScroll, { passive: true })
    for (const touch of touches) element.addEventListener(touch, onTouch, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', onScroll)
      for (const touch of touches) element.removeEventListener(touch, onTouch)
    }
  }, [scroller])

  const goTo = (wanted: 'end' | 'line') => {
    place.current = wanted
    setIsAtEnd(wanted === 'end')
    isMoving.current = true
    scrollTo(scroller.current, wanted === 'line' ? options.lineTop() : undefined)
  }
  /** Lets the reader be led elsewhere. */
  const letGo = () => {
    place.current = null
  }
  return { isAtEnd, goToEnd: () => goTo('end'), goToLine: () => goTo('line'), letGo }
}

const topOf = (element: Element) => element.getBoundingClientRect().top

function scrollTo(element: HTMLElement | null, top?: number) {
  if (element) element.scrollTop = top ?? element.scrollHeight
}
