import { createRoot } from 'react-dom/client'
import type { EarlyEntry } from '../features/calculator/early-entry.ts'
import { handedOver } from '../features/calculator/handed-over.ts'
import { PreferencesContext } from '../features/device/preferences.ts'
import type { Entry } from './create-entry.ts'
import { FirstCalculator } from './FirstCalculator.tsx'

const ignore = () => undefined

/** Renders the calculator that takes keys while a page is being left; returns a function that removes it. */
export function mountCoverCalculator(box: HTMLElement, { early, preferences }: Entry): () => void {
  const host = document.createElement('div')
  const root = createRoot(host)
  const keep = (typed: EarlyEntry) => {
    early.keep(typed)
    handedOver.keep(typed)
  }
  root.render(
    <PreferencesContext value={preferences}>
      <FirstCalculator isOnCover early={early.get()} onEntry={keep} onSettings={ignore} />
    </PreferencesContext>,
  )
  box.replaceChildren(host)
  return () => {
    handedOver.forget()
    // React cannot unmount this root while it renders another one, such as the app that replaces the calculator.
    setTimeout(() => root.unmount())
  }
}
