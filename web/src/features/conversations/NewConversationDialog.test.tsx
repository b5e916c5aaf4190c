import { fireEvent, render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { fakeApi } from '../../../test/fake-api.ts'
import { Toaster } from '../../shared/ui/Toaster.tsx'
import { NewConversationDialog } from './NewConversationDialog.tsx'
import { store } from '../../../test/page.ts'

const refusal = { error: 'No account has this code.', code: 'not_found', requestId: 'r' }
const Place = () => <p data-testid="place">{useLocation().pathname}</p>
const shown: Element[] = []
let server: ReturnType<typeof fakeApi>

beforeEach(() => {
  shown.length = 0
  // jsdom has no popovers.
  HTMLElement.prototype.hidePopover = () => undefined
  HTMLElement.prototype.showPopover = function showPopover(this: HTMLElement) {
    shown.push(this)
  }
  server = fakeApi({ 'POST /api/conversations': () => ({ status: 404, body: refusal }) })
  render(
    <Provider store={store}>
      <MemoryRouter>
        <NewConversationDialog open onOpenChange={() => undefined} />
        <Place />
      </MemoryRouter>
      <Toaster />
    </Provider>,
  )
})
afterEach(() => server.restore())

it('the new conversation dialog shows why the code was refused at the field, which gets the focus, and in a toast above the dialog', async () => {
  const field = screen.getByLabelText('User code')
  await userEvent.type(field, 'ABCD-EFGH-J')
  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  expect((await screen.findAllByText('Failed to start conversation')).length).toBeGreaterThan(0)
  expect(document.activeElement).toBe(field)
  const noteId = field.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(noteId)?.textContent).toBe(refusal.error)
  expect(shown.at(-1)?.textContent).toContain('Failed to start conversation')
  await userEvent.type(field, 'K')
  expect(field.getAttribute('aria-invalid')).toBe('false')
})

it('a code is grouped and in capitals however it is typed or pasted, and can be corrected in its middle', async () => {
  const field = screen.getByLabelText<HTMLInputElement>('User code')
  await userEvent.type(field, '7kq2m9xd3')
  expect(field.value).toBe('7KQ2-M9XD-3')
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste('https://calc.example/#7KQ2-M9XD-3')
  expect(field.value).toBe('7KQ2-M9XD-3')
  field.setSelectionRange(3, 4)
  await userEvent.keyboard('w')
  expect([field.value, field.selectionStart]).toEqual(['7KQW-M9XD-3', 4])
})

it('a code that a keyboard composes stays as typed until the composition ends', () => {
  const field = screen.getByLabelText<HTMLInputElement>('User code')
  const compose = (value: string) => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    setValue?.call(field, value)
    fireEvent(field, new InputEvent('input', { bubbles: true, isComposing: true }))
  }
  fireEvent.compositionStart(field)
  compose('7kq2m')
  expect(field.value).toBe('7kq2m')
  fireEvent.compositionEnd(field)
  expect(field.value).toBe('7KQ2-M')
})

it.each([
  ['the text of the server', { error: 'No such code.', code: 'unknown_user_code' }, 'No such code.'],
  ['a general one', '', 'Error starting conversation. Please check the user code.'],
])('ERR-20: a conversation that cannot start is reported with %s', async (_which, body, text) => {
  server.answers['POST /api/conversations'] = () => ({ status: 404, body })
  await userEvent.type(screen.getByLabelText('User code'), 'ABCD-EFGH-J')
  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  const toast = (await screen.findAllByText('Failed to start conversation'))[0]?.closest('li')
  expect(toast?.textContent).toBe(`Failed to start conversation${text}`)
})

it('CALL-25 D-14: the new conversation dialog opens the conversation that the server answers with', async () => {
  server.answers['POST /api/conversations'] = () => ({ status: 200, body: { id: 'c7' } })
  await userEvent.type(screen.getByLabelText('User code'), 'ABCD-EFGH-J')
  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  await waitFor(() => expect(screen.getByTestId('place').textContent).toBe('/conversation/c7'))
})
