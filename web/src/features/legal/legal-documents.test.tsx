import { render } from '@testing-library/react'
import { LegalDocument } from './legal-documents.tsx'

const textOf = (kind: 'privacy' | 'terms') => render(<LegalDocument kind={kind} />).container.textContent

describe.each(['privacy', 'terms'] as const)('the %s text', (kind) => {
  it.each([
    [/at least 18 years old/],
    [/stored (only as hashes|hashed)/],
    [/purged .*within 30 days/],
    [/backups within 90 days/],
    [/support@calculator\.example/],
    [/privacy@calculator\.example/],
    [/legal@calculator\.example/],
    [/e-mail delivery/i],
    [/cloud storage/],
    [/mobile (app )?stores/],
  ])('LEGAL-03 LEGAL-04 LEGAL-05 LEGAL-06 LEGAL-07: states %s', (sentence) => {
    expect(textOf(kind)).toMatch(sentence)
  })

  it('states that content is not end-to-end encrypted', () => {
    expect(textOf(kind)).toMatch(/not end-to-end encrypted yet/)
  })
})

it('the terms name the price and the free plan, and that one premium serves both', () => {
  const text = textOf('terms')
  expect(text).toMatch(/one message a day/)
  expect(text).toMatch(/\$29 a year/)
  expect(text).toMatch(/either of the two has premium/)
})

it('the terms do not say what the calculator hides, or from whom', () => {
  expect(textOf('terms')).not.toMatch(/hide|determined to search/)
})
