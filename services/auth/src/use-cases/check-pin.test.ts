import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { checkPinExplicitly, checkPinSoftly } from './check-pin.ts'

const entry = { userId: 'u', sessionId: 's', pin: '24680' }

function setUp(compare: Context['compare']) {
  const tries: string[] = []
  const take = (kind: string) => () => {
    tries.push(kind)
    return Promise.resolve(null)
  }
  const users = { takeExplicitTry: take('explicit'), takeSoftTry: take('soft') }
  const clock = { now: () => new Date(0), nowMs: () => 0 }
  return { tries, ctx: { users, clock, compare, pinSecret: () => 'secret' } as unknown as Context }
}

describe.each([
  ['explicit', checkPinExplicitly],
  ['soft', checkPinSoftly],
] as const)('the %s budget', (kind, check) => {
  it('loses no try when the entry is turned away because too many wait', async () => {
    const { ctx, tries } = setUp(() =>
      Promise.reject(new AppError('rate-limited', 'too_many_requests', 'Later.')),
    )
    await expect(check(ctx, entry)).rejects.toMatchObject({ code: 'too_many_requests' })
    expect(tries).toEqual([])
  })

  it('loses one before the entry is compared, whatever comes of it', async () => {
    const { ctx, tries } = setUp(async (_secret, hashOf) => {
      await hashOf()
      expect(tries).toEqual([kind])
      throw new Error('the process ends here')
    })
    await expect(check(ctx, entry)).rejects.toThrow('the process ends here')
    expect(tries).toEqual([kind])
  })
})
