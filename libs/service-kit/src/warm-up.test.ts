import type { Health } from './health.ts'
import { warmUp } from './warm-up.ts'

const unready = 'connections are being opened'
let health: Health
beforeEach(() => {
  health = { checks: {}, draining: false }
})
const look = () => health.checks['warm-up']?.()

it('a service is ready once its connections are open, and each is tried until then', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let tries = 0
  const failingOnce = async () => {
    tries += 1
    if (tries === 1) throw new Error('auth is starting')
    await promise
  }
  const warm = warmUp({ openers: [failingOnce, () => Promise.resolve()], health }, 60_000)
  expect(look).toThrow(unready)
  resolve()
  await warm
  expect(tries).toBe(2)
  expect(look).not.toThrow()
})

it('a service is ready after its time although a connection hangs', async () => {
  const warm = warmUp({ openers: [() => new Promise(() => undefined)], health }, 50)
  expect(look).toThrow(unready)
  await warm
  expect(look).not.toThrow()
})
