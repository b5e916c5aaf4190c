import { jest } from '@jest/globals'
import { MemoryRouter } from 'react-router-dom'

jest.unstable_mockModule('../../app/next-screen.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
const { act, renderHook } = await import('../../../test/render.tsx')
const { fakeApi, lockedUser } = await import('../../../test/fake-api.ts')
const { AuthProvider } = await import('../session/AuthProvider.tsx')
const { importNextScreen } = await import('../../app/chunks/before-sign-in.ts')
const { useUnlock } = await import('./use-unlock.ts')

const newer = { status: 200, body: '<script type="module" src="/assets/a-next.js"></script>' }

it.each([
  ['no-connection', 'the server does not answer', 'no connection'],
  ['outdated', 'the server has a new release', newer],
] as const)(
  'the calculator sends no number while a module is missing: %s when %s',
  async (expected, _when, answer) => {
    const server = fakeApi({
      'GET /api/user': () => ({ status: 200, body: lockedUser }),
      'GET /index.html': () => answer,
    })
    const { result } = renderHook(() => useUnlock(importNextScreen), {
      wrapper: ({ children }) => (
        <MemoryRouter>
          <AuthProvider>{children}</AuthProvider>
        </MemoryRouter>
      ),
    })
    const onRight = jest.fn()
    await act(async () => {
      expect(await result.current('1815', 'password-mode', onRight)).toBe(expected)
    })
    expect(onRight).not.toHaveBeenCalled()
    expect(server.asked).not.toContain('POST /api/verify-numeric-password')
    server.restore()
  },
)
