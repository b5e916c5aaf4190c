import { jest } from '@jest/globals'
import { render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { LockWatch } from '../session/LockWatch.tsx'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { isKnownDevice } from '../device/known-device.ts'
import { rememberDevice } from '../device/remember-device.ts'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { request, store, page } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let answer: Answer
let sent: unknown[]
let replace: jest.SpiedFunction<typeof page.replace>

beforeEach(() => {
  sent = []
  answer = { status: 200, body: { ok: true } }
  replace = jest.spyOn(page, 'replace').mockImplementation(() => undefined)
  server = fakeApi({
    'POST /api/delete-account': (body) => {
      sent.push(body)
      return answer
    },
  })
})
afterEach(() => {
  replace.mockRestore()
  server.restore()
})

const show = ({ isPremium = false, sparesOthers = false } = {}) =>
  render(
    <Provider store={store}>
      <DeleteAccountDialog open onClose={() => undefined} isPremium={isPremium} sparesOthers={sparesOthers} />
    </Provider>,
  )
async function confirm(password: string) {
  await userEvent.type(screen.getByLabelText('Account password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
}

it('a deletion names its date and its consequences, and leaves the calculator of a device without an account', async () => {
  rememberDevice(false)
  show()
  expect(screen.getByText(/In 14 days your account and everything you wrote are deleted/)).toBeTruthy()
  expect(screen.getByText(/people you write with read that you are no longer here/)).toBeTruthy()
  expect(screen.queryByText(/app store/)).toBeNull()
  await confirm('correct horse')
  expect(sent).toEqual([{ password: 'correct horse' }])
  expect(isKnownDevice()).toBe(false)
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/'))
})

it('a deletion where the number was never entered says that devices stay signed in on which it was', () => {
  show({ sparesOthers: true })
  expect(screen.getByText(/signed out now, but not on devices on which your number was entered/)).toBeTruthy()
  expect(screen.getByText(/sign in before then, or open Settings on such a device\./)).toBeTruthy()
  expect(screen.queryByText(/signed out everywhere/)).toBeNull()
})

it('a deletion ends at the calculator, also when another call learns of the end of the session first', async () => {
  server.answers['GET /api/user'] = () => ({ status: 200, body: unlockedUser })
  server.answers['GET /api/conversations'] = () => refusal(401, 'unauthenticated')
  server.answers['POST /api/delete-account'] = async () => {
    await request({ url: '/api/conversations' })
    return { status: 200, body: { ok: true } }
  }
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/settings']}>
        <AuthProvider>
          <LockWatch>
            <DeleteAccountDialog open onClose={() => undefined} isPremium={false} sparesOthers={false} />
          </LockWatch>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
  await waitFor(() => expect(server.asked).toContain('GET /api/user'))
  await confirm('correct horse')
  await waitFor(() => expect(replace).toHaveBeenCalled())
  await request({ url: '/api/conversations' })
  expect(replace.mock.calls).toEqual([['/']])
})

it('a person with premium is told where to cancel a subscription before the account is deleted', () => {
  show({ isPremium: true })
  expect(screen.getByText(/cancel it in the settings of that store/)).toBeTruthy()
})

it('a wrong account password deletes nothing and stays on screen', async () => {
  answer = refusal(403, 'wrong_credentials')
  show()
  await confirm('not it')
  expect(await screen.findByText('This is not your account password.')).toBeTruthy()
  expect(replace).not.toHaveBeenCalled()
})
