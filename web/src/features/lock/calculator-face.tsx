import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { CalculatorFace } from './CalculatorFace.tsx'

/** Returns the markup of an untouched calculator. It is rendered from the real one, so that both look the same. */
export function calculatorFace(): string {
  const box = document.createElement('div')
  const root = createRoot(box)
  flushSync(() => root.render(<CalculatorFace />))
  const markup = box.innerHTML
  root.unmount()
  return markup
}
