import { jest } from '@jest/globals'
import { act, renderHook } from '@testing-library/react'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, lockedUser } from '../../../test/fake-api.ts'

jest.unstable_mockModule('../../app/next-screen.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
const { store } = await import('../../api/store.ts')
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
        <Provider store={store}>
          <MemoryRouter>
            <AuthProvider>{children}</AuthProvider>
          </MemoryRouter>
        </Provider>
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
