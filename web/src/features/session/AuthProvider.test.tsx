import { act, renderHook, waitFor } from '../../../test/render.tsx'
import { jest } from '@jest/globals'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, lockedUser, refusal } from '../../../test/fake-api.ts'
import { messagingApi } from '../conversations/messaging-api.ts'
import { useAuth } from './auth-context.ts'
import { AuthProvider } from './AuthProvider.tsx'
import { sessionApi } from './session-api.ts'
import { store } from '../../../test/page.ts'

const ben = { ...lockedUser, id: 'u2', username: 'ben' }
const registration = {
  username: 'ben',
  email: 'b@example.org',
  phone: '+41791234567',
  fullName: 'Ben',
  password: 'p',
}
let server: ReturnType<typeof fakeApi>
beforeEach(() => {
  server = fakeApi({
    'GET /api/user': () => refusal(401, 'no_session'),
    'POST /api/login': () => ({ status: 200, body: ben }),
    'POST /api/register': () => ({ status: 200, body: ben }),
    'POST /api/logout': () => ({ status: 200 }),
  })
})
afterEach(() => server.restore())

const wrapper = ({ children }: { children: ReactNode }) => (
  <Provider store={store}>
    <MemoryRouter initialEntries={['/auth']}>
      <AuthProvider>{children}</AuthProvider>
    </MemoryRouter>
  </Provider>
)
const open = () => renderHook(useAuth, { wrapper }).result
const signedOut = async () => {
  const auth = open()
  await waitFor(() => expect(auth.current.isLoading).toBe(false))
  expect(auth.current.user).toBeNull()
  return auth
}
const fetches = () => server.asked.filter((call) => call === 'GET /api/user').length

it('CALL-08: a 401 is null for the fetch of the user, and an error for a fetch of the list', async () => {
  server.answers['GET /api/conversations'] = () => refusal(401, 'no_session')
  const options = { forceRefetch: true, subscribe: false }
  const user = await store.dispatch(sessionApi.endpoints.getUser.initiate(undefined, options))
  expect(user).toMatchObject({ data: null, isError: false })
  const { listConversations } = messagingApi.endpoints
  const list = await store.dispatch(listConversations.initiate(undefined, options))
  expect(list.data).toBeUndefined()
  expect(list.error).toMatchObject({ status: 401, code: 'no_session' })
})

it('STATE-03: a login keeps the user it answered with, without another fetch', async () => {
  const auth = await signedOut()
  await act(() => auth.current.login({ username: 'ben', password: 'p' }))
  await waitFor(() => expect(auth.current.user).toEqual(ben))
  expect(fetches()).toBe(1)
})

it('STATE-04: a registration keeps the user it answered with, without another fetch', async () => {
  const auth = await signedOut()
  await act(() => auth.current.register(registration as never))
  await waitFor(() => expect(auth.current.user).toEqual(ben))
  expect(fetches()).toBe(1)
})

it('ENT-42: the context of the session has user, loading, error, login, register and logout', async () => {
  server.answers['GET /api/user'] = () => refusal(503, 'unavailable')
  const auth = open()
  expect(auth.current).toMatchObject({ user: null, isLoading: true, error: null })
  await waitFor(() => expect(auth.current.error).toMatchObject({ status: 503, code: 'unavailable' }))
  expect(auth.current).toMatchObject({ user: null, isLoading: false })
  await act(() => auth.current.login({ username: 'ben', password: 'p' }))
  await waitFor(() => expect(auth.current).toMatchObject({ user: ben, error: null }))
  await act(() => auth.current.logout())
  await waitFor(() => expect(auth.current.user).toBeNull())
  await act(() => auth.current.register(registration as never))
  await waitFor(() => expect(auth.current.user).toEqual(ben))
})

it('ERR-06: useAuth outside its provider throws', () => {
  // React logs the error.
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => renderHook(useAuth)).toThrow('useAuth must be used within an AuthProvider')
  logged.mockRestore()
})
