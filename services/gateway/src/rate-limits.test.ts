import { getUser, login, verifyNumericPassword } from '@sumlock/contracts/auth-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Response } from 'express'
import { createRateLimits } from './rate-limits.ts'

interface Asking {
  route?: RouteContract
  address?: string
  session?: string
}

/** Asks so many times; answers with how many were let through and what the last one was told. */
async function askMany(limit: ReturnType<typeof createRateLimits>, times: number, asking: Asking = {}) {
  const { route = getUser, address = '192.0.2.1', session } = asking
  const headers: Record<string, string> = {}
  const response = {
    set: (name: string, value: string) => (headers[name] = value),
  } as unknown as Response
  let through = 0
  let refusal: unknown
  for (let count = 0; count < times; count += 1) {
    await limit(route, { address, session }, response).then(
      () => (through += 1),
      (error: unknown) => (refusal = error),
    )
  }
  return { through, refusal, headers }
}

describe('who asks too often', () => {
  it('signs in thirty times a minute from one address, whatever cookie is shown', async () => {
    const limit = createRateLimits(true)
    const cookies = Array.from({ length: 31 }, (_, index) => `s${index}`)
    let through = 0
    for (const session of cookies) through += (await askMany(limit, 1, { route: login, session })).through
    expect(through).toBe(30)
    expect((await askMany(limit, 1, { route: login, address: '192.0.2.2' })).through).toBe(1)
    expect((await askMany(limit, 1)).through).toBe(1)
  })

  it('is refused as a session, and as nobody, with the time to wait', async () => {
    const limit = createRateLimits(true)
    const asked = await askMany(limit, 601, { session: 'mine' })
    expect(asked).toMatchObject({ through: 600, refusal: { status: 429, code: 'too_many_requests' } })
    expect(asked.refusal).toBeInstanceOf(AppError)
    expect(Number(asked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await askMany(limit, 301)).through).toBe(300)
    expect((await askMany(limit, 1, { session: 'another' })).through).toBe(1)
  })

  it('hears nothing of a time on the way to unlock', async () => {
    const { through, headers } = await askMany(createRateLimits(true), 601, {
      route: verifyNumericPassword,
      session: 'mine',
    })
    expect([through, headers]).toEqual([600, {}])
  })
})
