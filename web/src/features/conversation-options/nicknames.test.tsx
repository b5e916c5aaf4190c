import type { ExportedPage } from '@sumlock/contracts/export-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import userEvent from '@testing-library/user-event'
import { ChatAndList } from '../../../test/chat-and-list.tsx'
import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { store, testPage } from '../../../test/page.ts'
import { act, cleanup, render, screen } from '../../../test/render.tsx'
import { browserOf, newOwnKey } from '../../../test/sealed-people.ts'
import { api } from '../../api/base-api.ts'
import { openExport } from '../sealed/open-export.ts'

let row: Conversation
let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>

/** Opens the page of the person `me`, who has these keys. */
async function open(keys: Parameters<typeof browserOf>[1], address = '/conversation/c') {
  server = fakeApi({
    'GET /api/conversations': () => ({
      status: 200,
      body: [row, ...['d', 'e', 'f', 'g', 'h'].map((id) => conversationWith({ id }))],
    }),
    'GET /api/conversations/c/messages?limit=50': () => ({ status: 200, body: [] }),
    'PUT /api/conversations/c/state': (body) => {
      const { nickname } = body as { nickname: string | null }
      const { nickname: _former, ...rest } = row
      row = nickname === null ? rest : { ...rest, nickname }
      return { status: 200, body: row }
    },
  })
  messaging = await fakeMessaging(undefined, browserOf('me', keys, undefined, { page: testPage }).text)
  render(
    <messaging.Wrapper>
      <ChatAndList address={address} />
    </messaging.Wrapper>,
  )
}
const close = () => {
  cleanup()
  act(() => server.restore())
  messaging.close()
  act(() => void store.dispatch(api.util.resetApiState()))
}
const press = async (name: string) =>
  userEvent.click((await screen.findAllByRole('button', { name })).at(-1) as HTMLElement)
const openDialog = async () => {
  await press('Conversation options')
  await press('Nickname')
}

beforeEach(() => {
  row = conversationWith()
})
afterEach(close)

it('D-62: a nickname stands in place of the user name, which the options keep, and leaves sealed', async () => {
  const key = await newOwnKey('me')
  await open([key])
  await openDialog()
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Nickname' })
  expect(field.maxLength).toBe(limits.nicknameMaxLength)
  await userEvent.type(field, ' Bär ')
  await press('Save')
  expect(await screen.findByRole('heading', { name: 'Bär' })).toBeTruthy()
  expect(row.nickname).toMatch(/^[\w-]{208}$/)
  await press('Conversation options')
  expect(await screen.findByText('User name: ben')).toBeTruthy()
  close()

  await open([key], '/messaging')
  expect(await screen.findByText('Bär')).toBeTruthy()
  const search = await screen.findByLabelText('Search conversations')
  await userEvent.type(search, 'bär')
  expect(screen.getAllByRole('link')).toHaveLength(1)
  await userEvent.clear(search)
  await userEvent.type(search, 'ben')
  expect(screen.getByText('Bär')).toBeTruthy()
  const page: ExportedPage = { conversationId: 'c', with: 'ben', nickname: row.nickname, messages: [] }
  expect(await openExport([page], messaging.text, 'me')).toEqual([
    { conversationId: 'c', with: 'ben', nickname: 'Bär', messages: [] },
  ])
  close()

  await open([key])
  expect(await screen.findByRole('heading', { name: 'Bär' })).toBeTruthy()
  await openDialog()
  await userEvent.clear(await screen.findByRole('textbox', { name: 'Nickname' }))
  await press('Remove nickname')
  expect(await screen.findByRole('heading', { name: 'ben' })).toBeTruthy()
  expect(row).not.toHaveProperty('nickname')
})

it('D-62: a nickname of characters that show nothing is none, and one cannot turn the text around it', async () => {
  const key = await newOwnKey('me')
  await open([key])
  await openDialog()
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Nickname' })
  await userEvent.type(field, '\u3164\u200b')
  expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
  await userEvent.type(field, '\u202eneb\u2066')
  await press('Save')
  expect((await screen.findByRole('heading', { name: /neb/ })).textContent).toBe('\u3164\u200bneb')
})

it('D-62: without a key there is no nickname, and the dialog says so', async () => {
  row = conversationWith({ nickname: 'x'.repeat(208) })
  await open([])
  expect(await screen.findByRole('heading', { name: 'ben' })).toBeTruthy()
  await openDialog()
  expect(await screen.findByText(/This browser has no key of yours/)).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Nickname' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
})
