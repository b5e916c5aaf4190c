import { readRateLimits } from './product-options.ts'

describe('SUMLOCK_RATE_LIMITS', () => {
  it('leaves the limits on when absent, and turns them off by that one word', () => {
    expect(readRateLimits(undefined)).toBe(true)
    expect(readRateLimits('on')).toBe(true)
    expect(readRateLimits('off')).toBe(false)
  })

  it('refuses any other word', () => {
    expect(() => readRateLimits('false')).toThrow('SUMLOCK_RATE_LIMITS is on or off, not false.')
  })
})
