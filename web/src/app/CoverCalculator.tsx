import { createRoot } from 'react-dom/client'
import { earlyEntry } from '../features/calculator/early-entry.ts'
import type { EarlyEntry } from '../features/calculator/early-entry.ts'
import { handedOver } from '../features/calculator/handed-over.ts'
import { FirstCalculator } from './FirstCalculator.tsx'

const keep = (entry: EarlyEntry) => {
  earlyEntry.keep(entry)
  handedOver.keep(entry)
}
const ignore = () => undefined

/** Renders the calculator that takes keys while a page is being left; returns a function that removes it. */
export function mountCoverCalculator(box: HTMLElement): () => void {
  const host = document.createElement('div')
  const root = createRoot(host)
  root.render(<FirstCalculator isOnCover onEntry={keep} onSettings={ignore} />)
  box.replaceChildren(host)
  return () => {
    handedOver.forget()
    // The app that takes its place may be rendering.
    setTimeout(() => root.unmount())
  }
}
