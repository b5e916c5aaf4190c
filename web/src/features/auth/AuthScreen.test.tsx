import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter } from 'react-router-dom'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import { store } from '../../app/store.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { AuthScreen } from './AuthScreen.tsx'

let server: ReturnType<typeof fakeApi>

beforeAll(() => {
  // The environment has Node's FormData, which reads no form; a frame has jsdom's own.
  const { contentWindow } = document.body.appendChild(document.createElement('iframe'))
  globalThis.FormData = (contentWindow as Window & typeof globalThis).FormData
})
beforeEach(() => {
  server = fakeApi({
    'GET /api/user': () => refusal(401, 'unauthenticated'),
    'POST /api/login': () => refusal(401, 'wrong_credentials'),
    'POST /api/phone/request-code': () => ({ status: 200, body: { resendAfterSeconds: 30 } }),
    'POST /api/phone/verify-code': () => refusal(400, 'wrong_code'),
  })
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/auth']}>
        <AuthProvider>
          <AuthScreen />
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
})
afterEach(() => server.restore())

const button = (name: string) => screen.getByRole('button', { name })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)

async function fillSignUp() {
  await userEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  await userEvent.type(field('Full Name'), 'Kay Board')
  await userEvent.type(field('Username'), 'kay')
  await userEvent.type(field('Email'), 'kay@example.com')
  await userEvent.type(field('Phone Number'), '+15550001234')
  await userEvent.type(field('Password'), 'correct horse')
  await userEvent.type(field('Confirm Password'), 'correct horse')
  await userEvent.click(button('Create Account'))
  await screen.findByRole('heading', { name: 'Verify Your Phone' })
}

it('the sign-in screen focuses its title', async () => {
  const title = await screen.findByRole('heading', { level: 1 })
  expect(document.activeElement).toBe(title)
})

it('the sign-in screen focuses the first field with a fault', async () => {
  await userEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  await userEvent.type(field('Full Name'), 'Kay Board')
  await userEvent.click(button('Create Account'))
  expect(document.activeElement).toBe(field('Username'))
})

it('the sign-in screen focuses the password after a failed sign-in', async () => {
  const form = within(await screen.findByRole('tabpanel', { name: 'Sign In' }))
  await userEvent.type(form.getByLabelText('Username'), 'kay')
  await userEvent.type(form.getByLabelText('Password'), 'wrong horse')
  await userEvent.click(form.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('Password')))
})

it('the phone step focuses the first box, also after a wrong code', async () => {
  await fillSignUp()
  expect(document.activeElement).toBe(field('Digit 1'))
  await userEvent.keyboard('123456')
  await userEvent.click(button('Verify Code'))
  await waitFor(() => expect(field('Digit 6').value).toBe(''))
  expect(document.activeElement).toBe(field('Digit 1'))
})

it('the sign-up form keeps its input when the phone step is left', async () => {
  await fillSignUp()
  await userEvent.click(button('Back'))
  expect(field('Full Name').value).toBe('Kay Board')
  expect(field('Confirm Password').value).toBe('correct horse')
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Sign Up', selected: true }))
})
