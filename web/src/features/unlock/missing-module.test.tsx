import { jest } from '@jest/globals'
import { act, renderHook } from '@testing-library/react'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, lockedUser } from '../../../test/fake-api.ts'

jest.unstable_mockModule('./next-address.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
const { store } = await import('../../app/store.ts')
const { AuthProvider } = await import('../session/AuthProvider.tsx')
const { useUnlock } = await import('./use-unlock.ts')

it('the calculator sends no number while a module cannot be loaded, and reports no connection', async () => {
  const server = fakeApi({ 'GET /api/user': () => ({ status: 200, body: lockedUser }) })
  const { result } = renderHook(useUnlock, {
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
    expect(await result.current('1815', 'password-mode', onRight)).toBe('no-connection')
  })
  expect(onRight).not.toHaveBeenCalled()
  expect(server.asked).not.toContain('POST /api/verify-numeric-password')
  server.restore()
})
