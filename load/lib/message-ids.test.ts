import { id } from '@sumlock/contracts/primitives'
import { messageIds, newRun } from './message-ids.ts'

const run = '0123456789abcd'
const { idOf, isOurs } = messageIds(run)

describe('message ids of a load run', () => {
  it('are valid and different for any number', () => {
    const ids = [0, 1, 65_535, 0x8000_0000, 0xffff_ffff].map(idOf)
    for (const one of ids) expect(id.parse(one)).toBe(one)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are different from those of another run', () => {
    expect(isOurs(idOf(7))).toBe(true)
    expect(isOurs(messageIds('0123456789abce').idOf(7))).toBe(false)
    expect(newRun()).toMatch(/^[0-9a-f]{14}$/)
  })
})
