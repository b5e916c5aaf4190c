import type { ConversationView } from '@sumlock/sync/conversation-view'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

export interface ShownMessagesProps {
  scroller: RefObject<HTMLElement | null>
  view: ConversationView | null
  /** What was on the screen after a gap does not count. */
  watermark: number
  onShown: (seq: number) => void
}

/** Returns whether something lies above the messages: the cover, or a dialog such as the viewer. */
const isHidden = () => document.querySelector('.is-covered, dialog[open]') !== null

/** Reports the last message that was on the screen. Each element with `data-seq` stands at the end of a message. */
export function ShownMessages({ scroller, view, watermark, onShown }: ShownMessagesProps) {
  const [onScreen] = useState(() => new Set<number>())
  const onChange = useRef<() => void>(undefined)

  useEffect(() => {
    onChange.current = () => {
      if (isHidden()) return
      const last = Math.max(0, ...[...onScreen].filter((seq) => seq <= watermark))
      view?.show(last)
      onShown(last)
    }
    onChange.current()
  }, [onScreen, view, watermark, onShown])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const tell = () => onChange.current?.()
    const hiding = new MutationObserver(tell)
    const attributeFilter = ['class', 'open']
    hiding.observe(document.documentElement, { childList: true, subtree: true, attributeFilter })
    const stop = followEnds(element, onScreen, tell)
    return () => {
      hiding.disconnect()
      stop()
    }
  }, [scroller, onScreen])
  return null
}

const endsIn = (node: Node) => (node instanceof Element ? [...node.querySelectorAll('[data-seq]')] : [])
const seqOf = (end: Element) => Number(end.getAttribute('data-seq'))

/** Keeps the seqs of the messages whose ends are on the screen. Returns a function that ends this. */
function followEnds(list: Element, onScreen: Set<number>, onChange: () => void): () => void {
  const screen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) onScreen.add(seqOf(target))
      else onScreen.delete(seqOf(target))
    onChange()
  })
  const rows = new MutationObserver((mutations) => {
    for (const { addedNodes, removedNodes } of mutations) {
      for (const end of [...removedNodes].flatMap(endsIn)) {
        screen.unobserve(end)
        onScreen.delete(seqOf(end))
      }
      for (const end of [...addedNodes].flatMap(endsIn)) screen.observe(end)
    }
  })
  rows.observe(list, { childList: true, subtree: true })
  for (const end of endsIn(list)) screen.observe(end)
  return () => {
    screen.disconnect()
    rows.disconnect()
  }
}
