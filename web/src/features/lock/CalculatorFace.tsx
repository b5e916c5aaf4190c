import { CalculatorView } from '../calculator/CalculatorView.tsx'
import { initialCalculator } from '../calculator/calculator-state.ts'
import { SideMenu } from '../calculator/SideMenu.tsx'

const ignore = () => undefined

/** Draws an untouched calculator whose keys do nothing. */
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
