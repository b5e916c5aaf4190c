import type { Look } from '../sealed/look.ts'
import { chipsOf, isReaction } from './reaction-chips.ts'
import type { OpenedReaction } from './reaction-chips.ts'

const by = (who: string, content: string, change: Partial<OpenedReaction> = {}): OpenedReaction => ({
  ...{ by: who, id: `of ${who}`, content },
  ...change,
})
const shown = (...reactions: OpenedReaction[]) =>
  chipsOf(reactions, 'me').map(({ emoji, isOwn, isTheirs }) => [emoji, isTheirs && 'ben', isOwn && 'me'])
const sealed = { v: 1 as const, from: 1, to: 1 }
const opened = (t: string): Look => ({ state: 'open', body: { t, at: 0 } })

it('each person has a chip, and both share one if they chose the same emoji', () => {
  expect(shown(by('ben', '👍'), by('me', '😮'))).toEqual([
    ['👍', 'ben', false],
    ['😮', false, 'me'],
  ])
  expect(shown(by('ben', '👍'), by('me', '👍'))).toEqual([['👍', 'ben', 'me']])
})

it('a reaction that was taken back has no chip', () => {
  expect(shown(by('ben', ''), by('me', '😮'))).toEqual([['😮', false, 'me']])
  expect(shown(by('me', ''))).toEqual([])
})

it('of several reactions that a server shows of one person the first counts', () => {
  expect(shown(by('ben', '👍'), by('ben', '😮'), by('eve', '😢'))).toEqual([['👍', 'ben', false]])
})

it('what a sealed reaction says is shown, and a closed one has a chip without an emoji', () => {
  const mine = by('me', 'AAAA', { sealed, look: opened('🙏') })
  const closed = by('ben', 'BBBB', { sealed, look: { state: 'closed', why: 'no-key' } })
  expect(shown(closed, mine)).toEqual([
    [null, 'ben', false],
    ['🙏', false, 'me'],
  ])
})

it('two that cannot be read are not taken for the same emoji', () => {
  const look: Look = { state: 'closed', why: 'no-key' }
  expect(shown(by('ben', 'BBBB', { sealed, look }), by('me', 'AAAA', { sealed, look }))).toHaveLength(2)
})

it.each(['👍', '❤️', '👩🏽‍❤️‍💋‍👨🏿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇺🇳', '1️⃣', '\u{1fabf}', '\u{1facd}', 'a'])(
  '%s can be a reaction, also if it is not known here',
  (text) => {
    expect(isReaction(text)).toBe(true)
  },
)

it.each(['', ' ', '👍👍', 'ok', '\u202e', `e${'\u0301'.repeat(18)}`])(
  '%j is none, because it is empty, has several characters, or more than 36 bytes',
  (text) => {
    expect(isReaction(text)).toBe(false)
  },
)
