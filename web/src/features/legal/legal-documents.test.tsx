import { render } from '@testing-library/react'
import { LegalDocument } from './legal-documents.tsx'

const textOf = (kind: 'privacy' | 'terms') => render(<LegalDocument kind={kind} />).container.textContent

describe.each(['privacy', 'terms'] as const)('the %s text', (kind) => {
  it.each([
    ['LEGAL-02', /at least 18 years old/],
    ['LEGAL-03', /stored (only as hashes|hashed)/],
    ['LEGAL-04', /purged .*within 30 days/],
    ['LEGAL-05', /backups within 90 days/],
    ['LEGAL-06', /support@calculator\.example/],
    ['LEGAL-06', /privacy@calculator\.example/],
    ['LEGAL-06', /legal@calculator\.example/],
    ['LEGAL-07', /e-mail delivery/i],
    ['LEGAL-07', /cloud storage/],
    ['LEGAL-07', /mobile (app )?stores/],
  ])('%s: says %s', (_id, sentence) => {
    expect(textOf(kind)).toMatch(sentence)
  })

  it('admits that content is not end-to-end encrypted', () => {
    expect(textOf(kind)).toMatch(/not end-to-end encrypted yet/)
  })
})

it('the terms name the price, the free plan, and that one premium frees both', () => {
  const text = textOf('terms')
  expect(text).toMatch(/one message a day/)
  expect(text).toMatch(/\$29 a year/)
  expect(text).toMatch(/either of the two has premium/)
})
