import type { WholeUser } from '@sumlock/contracts/user'
import { jest } from '@jest/globals'
import { act, render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { fakeApi, refusal, unlockedUser } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { endLock, leavePage } from '../../../test/leave-page.ts'
import { press as pressButton, serveUser, showSettings } from '../../../test/settings-page.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { onLocked, store, page as browserPage, lock } from '../../../test/page.ts'

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

it('a wrong account password is asked for again without fetching the messages again', async () => {
  const right = server.answers[accountCall]!
  server.answers[accountCall] = () => refusal(403, 'wrong_credentials')
  open()
  await userEvent.type(screen.getByLabelText('Account password'), 'wrong')
  await press()
  expect(await screen.findByText('This is not your account password.')).toBeTruthy()
  server.answers[accountCall] = right
  await press()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(server.asked.filter((call) => call === messagesCall)).toHaveLength(1)
})

describe('an export from the menu of Settings', () => {
  /** A gateway that breaks off its answer with the messages. `isLocked` says whether the session is locked. */
  const chooseExport = async (isLocked: boolean, broken: () => Answer = () => 'no connection') => {
    server.restore()
    const storage = { usedBytes: 0, limitBytes: 1 }
    let isBroken = false
    server = serveUser(user, {
      [accountCall]: () => ({ status: 200, body: { account: {}, sessions: [] } }),
      [messagesCall]: () => {
        isBroken = true
        return broken()
      },
      'GET /api/media/storage': () =>
        isBroken && isLocked ? refusal(423, 'locked') : { status: 200, body: storage },
      'POST /api/lock': () => ({ status: 200 }),
    })
    const view = showSettings()
    await pressButton('Export my data')
    return view
  }
  const start = async () => {
    await userEvent.type(await screen.findByLabelText('Account password'), 'right')
    await press()
  }

  it('reports that the lock ended it, and keeps the one export of the day', async () => {
    await chooseExport(true)
    const replacesPage = jest.fn()
    const stop = onLocked(replacesPage)
    await start()
    expect(await screen.findByText(/The app was locked, which ended the export/)).toBeTruthy()
    expect(saved).toEqual([])
    expect(server.asked).not.toContain(accountCall)
    expect(replacesPage).not.toHaveBeenCalled()
    stop()
  })

  it('reports a broken network with another sentence', async () => {
    await chooseExport(false)
    await start()
    expect(await screen.findByText('No connection. Please try again.')).toBeTruthy()
  })

  it('reports once, at the next try, that leaving for the calculator ended it', async () => {
    const replaced = jest.spyOn(browserPage, 'replace').mockImplementation(() => undefined)
    lock.dispatch('said-open')
    const { unmount } = await chooseExport(true, () => new Promise(() => undefined))
    await start()
    await act(leavePage)
    expect(replaced).toHaveBeenCalledWith('/')
    // Opens the next page of this tab and unlocks it again.
    unmount()
    await act(endLock)
    const next = await chooseExport(false)
    expect(await screen.findByText(/The app was locked during your last export/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await pressButton('Export my data')
    expect(await screen.findByLabelText('Account password')).toBeTruthy()
    expect(screen.queryByText(/during your last export/)).toBeNull()
    next.unmount()
  })
})
