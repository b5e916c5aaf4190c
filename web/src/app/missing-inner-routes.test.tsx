import { jest } from '@jest/globals'
import { render, screen } from '@testing-library/react'

let tries = 0
// Stands in for the network: the file cannot be downloaded.
jest.unstable_mockModule('./InnerRoutes.tsx', () => {
  tries += 1
  throw new TypeError('Failed to fetch dynamically imported module')
})
const { fakeApi, lockedUser } = await import('../../test/fake-api.ts')
const { rememberDevice, forgetDevice } = await import('../features/session/known-device.ts')
const { App } = await import('./App.tsx')

it('tries twice to download what is behind the calculator, then offers Retry', async () => {
  // React reports what a boundary caught.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const server = fakeApi({ 'GET /api/user': () => ({ status: 200, body: lockedUser }) })
  rememberDevice(false)
  // As after the one reload for a missing file.
  sessionStorage.setItem('calc.t', String(Date.now()))
  window.history.replaceState(null, '', '/settings')
  render(<App />)
  expect(await screen.findByRole('button', { name: 'Retry' }, { timeout: 4000 })).toBeTruthy()
  expect(tries).toBe(2)
  server.restore()
  forgetDevice()
  sessionStorage.clear()
  jest.restoreAllMocks()
})
