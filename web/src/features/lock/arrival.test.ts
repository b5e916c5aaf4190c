import { fakeApi } from '../../../test/fake-api.ts'
import { arrival } from './arrival.ts'

it('the arrival at the calculator records a lock at once, which is sent when the person went on to another screen', async () => {
  arrival.arm()
  expect(localStorage.getItem('calc.l')).toBe('1')
  expect(arrival.isArmed()).toBe(true)
  const { pendingLock } = await import('./pending-lock.ts')
  const { startApp } = await import('../../app/start-app.ts')
  const server = fakeApi({ 'POST /api/lock': () => ({ status: 200 }) })
  expect(pendingLock.status()).toBe('settled')
  startApp(false)
  expect(server.asked).toEqual([])
  startApp(true)
  expect(await pendingLock.settle()).toBe(true)
  expect(server.asked).toContain('POST /api/lock')
  expect(localStorage.getItem('calc.l')).toBeNull()
  server.restore()
})
