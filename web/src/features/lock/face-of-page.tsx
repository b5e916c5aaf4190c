import { renderToStaticMarkup } from 'react-dom/server'
import { CalculatorFace } from './CalculatorFace.tsx'

/**
 * Returns the markup that the page shows until its script has run. The keys are hidden from assistive technology,
 * because they do not work yet.
 */
export const faceOfPage = (): string =>
  renderToStaticMarkup(
    <div inert aria-hidden>
      <CalculatorFace />
    </div>,
  )
