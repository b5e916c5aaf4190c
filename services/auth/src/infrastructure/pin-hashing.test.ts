import bcrypt from 'bcrypt'
import { createPinHashing } from './pin-hashing.ts'

const pins = createPinHashing(Buffer.alloc(32, 1))

describe('a stored PIN', () => {
  it('matches the same digits of the same user under the same pepper, and nothing else', async () => {
    const stored = await pins.seal('ada', '0042')
    expect(await pins.matches('ada', '0042', stored)).toBe(true)
    expect(await pins.matches('ada', '42', stored)).toBe(false)
    expect(await pins.matches('ben', '0042', stored)).toBe(false)
    expect(await createPinHashing(Buffer.alloc(32, 2)).matches('ada', '0042', stored)).toBe(false)
  })

  it('matches a bcrypt hash of the previous release while it has no MAC', async () => {
    const pinHash = await bcrypt.hash(pins.mac('ada', '0042'), 4)
    expect(await pins.matches('ada', '0042', { pinHash })).toBe(true)
    expect(await pins.matches('ada', '0043', { pinHash })).toBe(false)
    expect(await pins.matches('ada', '0042', { pinHash, pinMac: pins.mac('ada', '1111') })).toBe(false)
  })

  it('of the previous release is refused with a sentence that fits a calculator when too many wait', async () => {
    const pinHash = await bcrypt.hash(pins.mac('ada', '0042'), 4)
    const entries = Array.from({ length: 20 }, () => pins.matches('ada', '0042', { pinHash }))
    const answers = await Promise.allSettled(entries)
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    )
    expect(refused).not.toHaveLength(0)
    for (const reason of refused)
      expect(reason).toMatchObject({ kind: 'rate-limited', message: 'Please try again in a moment.' })
  })

  it('has a hash that the previous release accepts', async () => {
    const { pinHash } = await pins.seal('ada', '0042')
    expect(await bcrypt.compare(pins.mac('ada', '0042'), pinHash)).toBe(true)
  })
})
