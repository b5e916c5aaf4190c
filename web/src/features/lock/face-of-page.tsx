import { renderToStaticMarkup } from 'react-dom/server'
import { CalculatorFace } from './CalculatorFace.tsx'

/** What the page shows until its script has run: keys that cannot answer yet are no keys for anybody else. */
export const faceOfPage = (): string =>
  renderToStaticMarkup(
    <div inert aria-hidden>
      <CalculatorFace />
    </div>,
  )
