import { id } from '@sumlock/contracts/primitives'
import { fingerprint, messageIds, newRun } from './message-ids.js'

const run = '0123456789abcd'
const { idOf, isOurs } = messageIds(run)

describe('ids of a run', () => {
  it('are what the contract takes, for any number', () => {
    for (const number of [0, 1, 65_535, 0x8000_0000, 0xffff_ffff]) expect(id.parse(idOf(number))).toBeTruthy()
    expect(newRun()).toMatch(/^[0-9a-f]{14}$/)
  })

  it('are told from those of another run', () => {
    expect(isOurs(idOf(7))).toBe(true)
    expect(isOurs(messageIds('0123456789abce').idOf(7))).toBe(false)
  })
})

describe('fingerprints', () => {
  it('add up to something else when a message is another one or at another place', () => {
    const message = { clientMessageId: idOf(7), seq: 3 }
    expect(fingerprint({ ...message })).toBe(fingerprint(message))
    expect(fingerprint({ ...message, seq: 4 })).not.toBe(fingerprint(message))
    expect(fingerprint({ ...message, clientMessageId: idOf(8) })).not.toBe(fingerprint(message))
    const swapped =
      fingerprint({ clientMessageId: idOf(7), seq: 4 }) + fingerprint({ clientMessageId: idOf(8), seq: 3 })
    const straight =
      fingerprint({ clientMessageId: idOf(7), seq: 3 }) + fingerprint({ clientMessageId: idOf(8), seq: 4 })
    expect(swapped).not.toBe(straight)
  })

  it('are spread over 30 bits, so that sums stay exact', () => {
    const all = Array.from({ length: 10_000 }, (_, n) =>
      fingerprint({ clientMessageId: idOf(n), seq: n + 1 }),
    )
    expect(new Set(all).size).toBeGreaterThan(9_990)
    expect(Math.max(...all)).toBeLessThan(2 ** 30)
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0)
  })
})
