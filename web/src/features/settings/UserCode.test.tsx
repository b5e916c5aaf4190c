import type { WholeUser } from '@sumlock/contracts/user'
import { render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { encode } from 'uqr'
import { Provider } from 'react-redux'
import { fakeApi, lockedUser, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { Tooltips } from '../../shared/ui/TipButton.tsx'
import { RotateCodeDialog } from './RotateCodeDialog.tsx'
import { UserCodeCard } from './UserCodeCard.tsx'
import { store, toasts as toastStore } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let answer: Answer
let closed: number

beforeEach(() => {
  closed = 0
  answer = { status: 200, body: { userCode: 'WXYZ-1234-5' } }
  server = fakeApi({ 'POST /api/rotate-user-code': () => answer })
})
afterEach(() => server.restore())

it('the user code is shown as a QR code of a link with the code in its fragment', async () => {
  render(
    <Tooltips>
      <UserCodeCard user={lockedUser as unknown as WholeUser} />
    </Tooltips>,
  )
  expect(screen.queryByRole('img')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show QR code' }))
  const image = screen.getByRole('img', { name: 'QR code of ABCD-EFGH-J' })
  const { size, data } = encode('http://localhost/#ABCD-EFGH-J', { ecc: 'M', border: 3 })
  expect(image.getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`)
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  expect(image.querySelector('path')?.getAttribute('d')).toBe(dark.join(''))
})

const rotate = async () => {
  render(
    <Provider store={store}>
      <RotateCodeDialog open onClose={() => (closed += 1)} />
    </Provider>,
  )
  expect(screen.getByText(/Your present code stops working at once/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Get a new code' }))
}

it('a new user code is asked for after a warning, and shown', async () => {
  await rotate()
  await waitFor(() => expect(closed).toBe(1))
  expect(toastStore.get()).toMatchObject({
    title: 'You have a new code',
    description: 'WXYZ-1234-5. The old one no longer works.',
  })
})

it('a refused new user code leaves the dialog open and says why', async () => {
  answer = refusal(429, 'Too many.')
  await rotate()
  expect(await screen.findByText('Too many.')).toBeTruthy()
  expect(closed).toBe(0)
})
