import { CalculatorView } from '../calculator/CalculatorView.tsx'
import { initialCalculator } from '../calculator/calculator-state.ts'
import { SideMenu } from '../calculator/SideMenu.tsx'

const ignore = () => undefined

/** An untouched calculator that answers nothing. */
export function CalculatorFace() {
  return (
    <CalculatorView
      state={initialCalculator}
      onKey={ignore}
      onSwipe={ignore}
      menu={<SideMenu onSettings={ignore} />}
    />
  )
}
