import type { WholeUser } from '@sumlock/contracts/user'
import { jest } from '@jest/globals'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import { store } from '../../app/store.ts'
import { ExportDialog } from './ExportDialog.tsx'

const accountCall = 'POST /api/export/account'
const messagesCall = 'GET /api/export/messages'
const page = { conversationId: 'c', with: 'ben', messages: [] }
let server: ReturnType<typeof fakeApi>
let saved: { name: string; text: Promise<string> }[]

beforeEach(() => {
  saved = []
  const blobs: Blob[] = []
  URL.createObjectURL = (blob) => `blob:${blobs.push(blob as Blob)}`
  URL.revokeObjectURL = () => undefined
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: (blobs.at(-1) as Blob).text() })
  })
  server = fakeApi({
    [accountCall]: () => ({ status: 200, body: { account: { username: 'ada' }, sessions: [] } }),
    [messagesCall]: () => ({ status: 200, body: [page, { complete: true }] }),
  })
})
afterEach(() => {
  jest.restoreAllMocks()
  server.restore()
})

const user = {
  ...unlockedUser,
  subscriptionType: 'free',
  subscriptionExpiresAt: null,
} as unknown as WholeUser
const open = () =>
  render(
    <Provider store={store}>
      <ExportDialog open onClose={() => undefined} user={user} />
    </Provider>,
  )
const press = () => userEvent.click(screen.getByRole('button', { name: 'Export' }))

it('the export is one file of account, plan and conversations, with a name that tells nothing', async () => {
  open()
  await userEvent.type(screen.getByLabelText('Account password'), 'right')
  await press()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.name).toBe('export.json')
  expect(JSON.parse((await saved[0]?.text) ?? '')).toEqual({
    account: { username: 'ada' },
    sessions: [],
    subscription: { subscriptionType: 'free', subscriptionExpiresAt: null },
    conversations: [page],
  })
  expect(await screen.findByText(/The file export.json was saved/)).toBeTruthy()
})

it('an export that breaks saves nothing, and a second try does not use up another day', async () => {
  server.answers[messagesCall] = () => ({ status: 200, body: [page] })
  open()
  await userEvent.type(screen.getByLabelText('Account password'), 'right')
  await press()
  expect(await screen.findByText('The file was not received completely. Please try again.')).toBeTruthy()
  server.answers[messagesCall] = () => refusal(503, 'unavailable')
  await press()
  expect(await screen.findByText('unavailable')).toBeTruthy()
  expect(saved).toEqual([])
  server.answers[messagesCall] = () => ({ status: 200, body: [page, { complete: true }] })
  await press()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(server.asked.filter((call) => call === accountCall)).toHaveLength(1)
})
