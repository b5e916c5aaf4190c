import { createSeen } from './seen.ts'

describe('seen ids', () => {
  it('are new once, and again only after they were evicted', () => {
    const seen = createSeen(2)
    expect([seen.isNew('a'), seen.isNew('a'), seen.isNew('b'), seen.isNew('a')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    seen.isNew('c')
    expect(seen.isNew('b')).toBe(false)
    expect(seen.isNew('a')).toBe(true)
  })
})
