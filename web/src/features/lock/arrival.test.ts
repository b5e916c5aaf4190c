import { createEntry } from '../../app/create-entry.ts'
import { startPage } from '../../app/start-app.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { openPage } from '../../../test/page.ts'

it('the arrival at the calculator records a lock at once, which is sent when the person went on to another screen', async () => {
  const entry = createEntry()
  const { arrival } = entry
  arrival.arm()
  expect(localStorage.getItem('calc.l')).toBe('1')
  expect(arrival.isArmed()).toBe(true)
  const page = openPage(entry)
  const { lock } = page
  const server = fakeApi({ 'POST /api/lock': () => ({ status: 200 }) })
  expect(lock.status()).toBe('nothing-owed')
  startPage(page, false)
  expect(server.asked).toEqual([])
  startPage(page, true)
  expect(await lock.settle()).toBe(true)
  expect(server.asked).toContain('POST /api/lock')
  expect(localStorage.getItem('calc.l')).toBeNull()
  server.restore()
})
