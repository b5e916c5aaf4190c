import { jest } from '@jest/globals'
import { MemoryRouter } from 'react-router-dom'

jest.unstable_mockModule('../../app/next-screen.ts', () => new Promise(() => undefined))
const { act, renderHook } = await import('../../../test/render.tsx')
const { fakeApi, lockedUser } = await import('../../../test/fake-api.ts')
const { AuthProvider } = await import('../session/AuthProvider.tsx')
const { importNextScreen } = await import('../../app/chunks/before-sign-in.ts')
const { useUnlock } = await import('./use-unlock.ts')

afterEach(() => void jest.useRealTimers())

it('a number, and the next one, end without a connection when a module never comes', async () => {
  const server = fakeApi({ 'GET /api/user': () => ({ status: 200, body: lockedUser }) })
  const { result } = renderHook(() => useUnlock(importNextScreen), {
    wrapper: ({ children }) => (
      <MemoryRouter>
        <AuthProvider>{children}</AuthProvider>
      </MemoryRouter>
    ),
  })
  jest.useFakeTimers()
  const ended: string[] = []
  const enter = (number: string) =>
    result.current(number, 'after-plus', () => undefined).then((end) => ended.push(end))
  await act(async () => {
    void enter('1816')
    void enter('1815')
    await jest.advanceTimersByTimeAsync(60_000)
  })
  expect(ended).toEqual(['no-connection', 'no-connection'])
  expect(server.asked).not.toContain('POST /api/verify-numeric-password')
  server.restore()
})
