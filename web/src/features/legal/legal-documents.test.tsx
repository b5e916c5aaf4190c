import { render, screen } from '../../../test/render.tsx'
import { createHash } from 'node:crypto'
import { legalVersion } from '@sumlock/contracts/legal-version'
import { contactsPath } from '@sumlock/contracts/contacts'
import { LegalDocument } from './legal-documents.tsx'

const realFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = realFetch
})

const textOf = (kind: 'privacy' | 'terms') => render(<LegalDocument kind={kind} />).container.textContent

describe.each(['privacy', 'terms'] as const)('the %s text', (kind) => {
  it('LEGAL-02: sets the minimum age at 18', () => {
    expect(textOf(kind)).toMatch(/You must be at least 18 years old/)
  })

  it('LEGAL-03: promises that passwords are stored as hashes', () => {
    expect(textOf(kind)).toMatch(/passwords? are stored (only as hashes|hashed)/i)
  })

  it.each(['support', 'privacy', 'legal'])(
    'LEGAL-06: names the address that the operator has set for %s',
    async (name) => {
      globalThis.fetch = (address) =>
        address === contactsPath
          ? Promise.resolve(Response.json({ [name]: `${name}@operator.org` }))
          : Promise.reject(new Error('There is nothing else to fetch.'))
      render(<LegalDocument kind={kind} />)
      const link = await screen.findByRole('link', { name: `${name}@operator.org` })
      expect(link.getAttribute('href')).toBe(`mailto:${name}@operator.org`)
    },
  )

  it('says when the addresses of the operator can be read, where they could not be fetched', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    render(<LegalDocument kind={kind} />)
    expect(await screen.findAllByText(/the address shown here while you are online/)).not.toEqual([])
  })

  it.each([/e-mail delivery/i, /cloud storage/, /mobile (app )?stores/])(
    'LEGAL-07: names the outside party %s',
    (party) => expect(textOf(kind)).toMatch(party),
  )

  it.each([/SMS/, /payments/])('names the outside party %s, which the specification does not', (party) =>
    expect(textOf(kind)).toMatch(party),
  )

  // This checks the text only, not the deletion itself.
  it('states that a deleted account is purged within 30 days, and from backups within 90', () => {
    expect(textOf(kind)).toMatch(/purged [^.]*within 30 days/)
    expect(textOf(kind)).toMatch(/backups within 90 days/)
  })

  it('says what still holds a message that was deleted for both', () => {
    if (kind === 'privacy')
      expect(textOf(kind)).toMatch(
        /delete it for both.*queue for up to a day.*log of the database.*report.*60 days.*restored/,
      )
  })

  it('calls sealing end-to-end only together with whom it does not protect from', () => {
    const claims = textOf(kind)?.match(/end-to-end.*/g) ?? []
    expect(claims).toHaveLength(1)
    expect(claims[0]).toMatch(/^end-to-end\. .{0,80}does not protect from those who run our servers/)
  })
})

it('the terms name the price and the free plan, and that one premium serves both', () => {
  const text = textOf('terms')
  expect(text).toMatch(/one message a day/)
  expect(text).toMatch(/\$29 a year/)
  expect(text).toMatch(/either of the two has premium/)
})

// After a change of the texts, set the version in contracts to the present day and the hash to the one that this test
// prints.
it('the legal texts have one version, which registrations store', () => {
  const texts = `${textOf('privacy')}${textOf('terms')}`
  const hash = createHash('sha256').update(texts).digest('hex').slice(0, 12)
  expect({ [legalVersion]: hash }).toEqual({ '2026-11-30': '0b54cb5b8e46' })
})

it('the terms do not say what the calculator hides, or from whom', () => {
  expect(textOf('terms')).not.toMatch(/hide|determined to search/)
})
