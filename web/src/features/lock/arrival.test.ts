import { fakeApi } from '../../../test/fake-api.ts'
import { arrival } from './arrival.ts'

it('the arrival at the calculator records a lock at once, which is sent when the person went on to another screen', async () => {
  arrival.arm()
  expect(localStorage.getItem('calc.l')).toBe('1')
  expect(arrival.isArmed()).toBe(true)
  const { lock } = await import('./lock-effects.ts')
  const { startApp } = await import('../../app/start-app.ts')
  const server = fakeApi({ 'POST /api/lock': () => ({ status: 200 }) })
  expect(lock.status()).toBe('settled')
  startApp(false)
  expect(server.asked).toEqual([])
  startApp(true)
  expect(await lock.settle()).toBe(true)
  expect(server.asked).toContain('POST /api/lock')
  expect(localStorage.getItem('calc.l')).toBeNull()
  server.restore()
})
