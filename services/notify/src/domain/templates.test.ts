import type { Notice } from '@sumlock/contracts/auth-events'
import { toLetter, toSmsText } from './templates.ts'

const support = 'support@operator.example'
const link = 'https://calculator.example.com/verify-email?token=a&b="c"'
const mail = { channel: 'mail', to: 'ada@example.com', fullName: 'Ada <b>Lovelace</b>' } as const
const mails: Exclude<Notice, { channel: 'sms' }>[] = [
  { ...mail, template: 'verify-email', link },
  { ...mail, template: 'change-email', link },
  { ...mail, template: 'reset-password', link },
  { ...mail, template: 'password-changed' },
  { ...mail, template: 'signed-in', userId: '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b' },
  { ...mail, template: 'email-changed' },
  { ...mail, template: 'email-claimed' },
  { ...mail, template: 'wrong-passwords' },
  { ...mail, template: 'phone-changed' },
  { ...mail, template: 'account-deletion' },
  { ...mail, template: 'app-reset-waits', dueAt: '2026-11-29T14:20:00.000Z' },
  {
    channel: 'mail',
    to: mail.to,
    template: 'gift',
    code: 'F3K9-QW2M-7ZTB-4XHD',
    giftMessage: '<b>For you</b>',
    link,
  },
]

describe.each(mails)('the mail $template', (notice) => {
  const { to, subject, text, html = '' } = toLetter(notice, support)

  it('has an HTML and a text version with the same name and words', () => {
    expect(to).toBe(mail.to)
    expect(subject).toMatch(/^[A-Z][\w -]+$/)
    // Only the address of a gift's recipient is known.
    const shown = 'fullName' in notice ? notice.fullName : '<b>For you</b>'
    expect(text).toContain(shown)
    expect(html).toContain(shown.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    for (const line of text.split('\n').filter((line) => /^[a-zA-Z ,.-]+$/.test(line)))
      expect(html).toContain(line)
  })

  it('says nothing that only a messenger would say', () => {
    expect(`${subject} ${text} ${html}`).toMatch(/Calculator/)
    expect(`${subject} ${text} ${html}`).not.toMatch(/sumlock|messag|chat|conversation|unlock|premium/i)
  })

  it('leads to its page and nowhere else', () => {
    const links = 'link' in notice ? [link] : []
    expect(text.match(/https?:\S+/g) ?? []).toEqual(links)
    const escaped = links.map((one) => one.replace('&', '&amp;').replaceAll('"', '&quot;'))
    expect([...new Set(html.match(/https?:[^"< ]+/g))]).toEqual(escaped)
  })
})

it('the mail about a changed address names where to write, by the setting', () => {
  const notice = { ...mail, template: 'email-changed' } as const
  expect(toLetter(notice, support).text).toContain(`write to ${support} at once`)
})

it.each(['verify-email', 'change-email', 'reset-password'] as const)(
  'the mail %s to an address that is not proven greets nobody',
  (template) => {
    const { text, html = '' } = toLetter({ ...mail, template, fullName: '', link }, support)
    expect(text).toMatch(/^Hello,\n/)
    expect(html).toContain('Hello,')
  },
)

it('an SMS is one line of text that names neither the product nor a person', () => {
  const sms = { channel: 'sms', template: 'phone-code', to: '+15550100001', code: '123456' } as const
  expect(toSmsText(sms)).toBe('123456 is your Calculator code. It is valid for 10 minutes.')
})
