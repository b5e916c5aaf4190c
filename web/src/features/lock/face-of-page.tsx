import { renderToStaticMarkup } from 'react-dom/server'
import { CalculatorFace } from './CalculatorFace.tsx'

/**
 * The page shows this until its script has run. Its keys are hidden from assistive technology, because they do not work
 * yet.
 */
export const faceOfPage = (): string =>
  renderToStaticMarkup(
    <div inert aria-hidden>
      <CalculatorFace />
    </div>,
  )
