import { jest } from '@jest/globals'
import { render, screen } from './render.tsx'
import { fakeApi, lockedUser } from './fake-api.ts'

/** Opens Settings on a known device after the one reload for a missing file, and expects the Retry button. */
export async function expectRetry(): Promise<void> {
  const { App } = await import('../src/app/App.tsx')
  const { rememberDevice, forgetDevice } = await import('../src/features/device/remember-device.ts')
  // React reports the errors that a boundary caught.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const server = fakeApi({ 'GET /api/user': () => ({ status: 200, body: lockedUser }) })
  rememberDevice(false)
  sessionStorage.setItem('calc.t', String(Date.now()))
  window.history.replaceState(null, '', '/settings')
  const { testPage } = await import('./page.ts')
  render(<App page={testPage} />)
  expect(await screen.findByRole('button', { name: 'Retry' }, { timeout: 4000 })).toBeTruthy()
  server.restore()
  forgetDevice()
  sessionStorage.clear()
  jest.restoreAllMocks()
}
