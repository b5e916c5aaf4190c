import { createLockSources } from './lock-sources.ts'

function setUp() {
  const now = { ms: 1000, listAgeMs: 1900 }
  let tell = () => undefined as void
  const members = { isComplete: true, onChange: (listener: () => void) => void (tell = listener) }
  const sources = createLockSources({
    clock: { nowMs: () => now.ms },
    members,
    listAgeMs: () => now.listAgeMs,
  })
  const redis = (isThere: boolean) => {
    members.isComplete = isThere
    tell()
  }
  return { sources, now, redis }
}

describe('a process that listens for locks', () => {
  it('is neither in doubt nor silent while Redis sends hints, however long auth gives no answer', () => {
    const { sources, now } = setUp()
    now.listAgeMs = Infinity
    now.ms += 60_000
    expect(sources.isInDoubt()).toBe(false)
    expect(sources.isSilent()).toBe(false)
  })

  it('is neither while auth answers, however long Redis is away', () => {
    const { sources, now, redis } = setUp()
    redis(false)
    now.ms += 60_000
    expect(sources.isInDoubt()).toBe(false)
    expect(sources.isSilent()).toBe(false)
  })

  it('is in doubt after three seconds without an answer of auth, and silent after four, while Redis is away', () => {
    const { sources, now, redis } = setUp()
    redis(false)
    now.ms += 1100
    now.listAgeMs = 3000
    expect(sources.isInDoubt()).toBe(true)
    expect(sources.isSilent()).toBe(false)
    now.listAgeMs = 4000
    expect(sources.isSilent()).toBe(true)
    redis(true)
    expect(sources.isInDoubt()).toBe(false)
    expect(sources.isSilent()).toBe(false)
  })

  it('is not yet silent in the second in which the connection to Redis breaks and may come back', () => {
    const { sources, now, redis } = setUp()
    now.listAgeMs = 60_000
    redis(false)
    now.ms += 999
    expect(sources.isInDoubt()).toBe(true)
    expect(sources.isSilent()).toBe(false)
    now.ms += 1
    expect(sources.isSilent()).toBe(true)
  })
})
