import { webcrypto } from 'node:crypto'
import { jest } from '@jest/globals'
import { render, screen, waitFor } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Provider } from 'react-redux'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import { offerDatabase } from '../../../test/fake-database.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { dateAndTimeText } from '../../shared/lib/date-text.ts'
import { noKeys } from '../sealed/own-keys.ts'
import { openUnsentStore } from '../delivery/unsent-store.ts'
import { ResetAppDialog } from './ResetAppDialog.tsx'
import { store, page, testPage } from '../../../test/page.ts'

let server: ReturnType<typeof fakeApi>
let answer: Answer
let sent: unknown[]
let replace: jest.SpiedFunction<typeof page.replace>

beforeEach(() => {
  sent = []
  answer = { status: 200, body: { ok: true } }
  replace = jest.spyOn(page, 'replace').mockImplementation(() => undefined)
  server = fakeApi({
    'POST /api/reset-app': (body) => {
      sent.push(body)
      return answer
    },
  })
})
afterEach(() => {
  replace.mockRestore()
  testPage.unlocked = null
  server.restore()
})

const show = (unlockPausedUntil: string | null = null, waits = false) =>
  render(
    <Provider store={store}>
      <ResetAppDialog open onClose={() => undefined} unlockPausedUntil={unlockPausedUntil} waits={waits} />
    </Provider>,
  )
const confirm = () => userEvent.click(screen.getByRole('button', { name: 'Delete everything and reset' }))
const enter = (password: string) => userEvent.type(screen.getByLabelText('Account password'), password)

it('a reset of the app names what is lost, asks for the account password and leads to the set-up', async () => {
  show()
  expect(screen.getByText(/All your conversations are deleted for you/)).toBeTruthy()
  await confirm()
  expect(screen.getByText('Enter your account password.')).toBeTruthy()
  expect(sent).toEqual([])
  await enter('correct horse')
  await confirm()
  expect(sent).toEqual([{ password: 'correct horse' }])
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/settings'))
})

it('a reset of the app in discreet mode leaves no address but the calculator’s', async () => {
  document.cookie = 'v=2; path=/'
  show()
  await enter('correct horse')
  await confirm()
  await waitFor(() => expect(replace.mock.calls).toEqual([['/']]))
  document.cookie = 'v=; path=/; max-age=0'
})

it('a wrong account password resets nothing and stays on screen', async () => {
  answer = refusal(403, 'wrong_credentials')
  show()
  await enter('not it')
  await confirm()
  expect(await screen.findByText('This is not your account password.')).toBeTruthy()
  expect(replace).not.toHaveBeenCalled()
})

it('a person whose unlocking is paused is told to wait before a reset', () => {
  show('2026-01-01T10:30:00.000Z')
  expect(screen.getByText(/Unlocking is paused until/)).toBeTruthy()
})

it('a reset of an unlocked app removes the unsent text of this device', async () => {
  // jsdom does not implement it.
  Object.defineProperty(crypto, 'subtle', { configurable: true, value: webcrypto.subtle })
  const key = Buffer.alloc(32, 7).toString('base64')
  const records = offerDatabase()
  testPage.unlocked = { userId: 'u1', outboxKey: key, keys: Promise.resolve(noKeys) }
  await openUnsentStore(key)
  expect(records.size).toBe(1)
  show()
  await enter('correct horse')
  await confirm()
  await waitFor(() => expect(replace).toHaveBeenCalled())
  expect(records.size).toBe(0)
})

it('a reset that waits says so before and after, until when, and that the right number cancels it', async () => {
  const dueAt = '2026-11-29T14:20:00.000Z'
  answer = { status: 200, body: { ok: true, dueAt } }
  show(null, true)
  expect(
    screen.getByText(/the reset waits 24 hours\. Until then, the right number on any device cancels it/),
  ).toBeTruthy()
  expect(screen.getByText('You are signed out on every device and browser, also here.')).toBeTruthy()
  await enter('correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Delete everything in 24 hours' }))
  expect(await screen.findByText(new RegExp(`will be reset on ${dateAndTimeText(dueAt)}`))).toBeTruthy()
  expect(replace).not.toHaveBeenCalled()
})
