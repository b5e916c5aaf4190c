import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { CalculatorView } from '../calculator/CalculatorView.tsx'
import { initialCalculator } from '../calculator/calculator-state.ts'
import { SideMenu } from '../calculator/SideMenu.tsx'

const ignore = () => undefined

/** The markup of an untouched calculator, rendered from the real one so that both look the same. */
export function calculatorFace(): string {
  const box = document.createElement('div')
  const root = createRoot(box)
  flushSync(() =>
    root.render(
      <CalculatorView
        state={initialCalculator}
        onKey={ignore}
        onSwipe={ignore}
        menu={<SideMenu onSettings={ignore} />}
      />,
    ),
  )
  const markup = box.innerHTML
  root.unmount()
  return markup
}
