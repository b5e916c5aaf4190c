import { act, render, screen } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { fakeApi } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { MessageList } from '../chat/MessageList.tsx'
import type { Upload } from './uploads.ts'
import { uploads } from '../../../test/page.ts'

const done: string[] = []
const upload = (change: Partial<Upload> = {}): Upload => ({
  ...{
    id: 'u',
    conversationId: 'c',
    messageType: 'image' as const,
    caption: '',
    previewUrl: null,
    width: 400,
    height: 300,
    progress: 0.25,
    failure: null,
    delay: null,
    question: null,
    isLost: false,
  },
  retry: () => done.push('retry'),
  cancel: () => uploads.remove('u'),
  ...change,
})

let messaging: Awaited<ReturnType<typeof fakeMessaging>>
let server: ReturnType<typeof fakeApi>
beforeEach(async () => {
  server = fakeApi({ 'GET /api/conversations/c/messages?limit=50': () => ({ status: 200, body: [] }) })
  messaging = await fakeMessaging()
  render(<MessageList conversationId="c" name="ben" isWithheld={false} />, { wrapper: messaging.Wrapper })
  await screen.findByText('Say hello.')
})
afterEach(() => {
  act(() => {
    uploads.remove('u')
    server.restore()
  })
  messaging.close()
})

it('a picture on its way shows its progress and can be cancelled', async () => {
  act(() => uploads.add(upload()))
  const ring = await screen.findByRole('progressbar', { name: 'Upload' })
  expect(ring.getAttribute('aria-valuenow')).toBe('25')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel upload' }))
  expect(screen.queryByRole('progressbar')).toBeNull()
})

it('an upload that failed says why, and can be tried again or discarded', async () => {
  act(() => uploads.add(upload({ failure: 'Your storage is full.' })))
  expect((await screen.findByRole('status')).textContent).toContain('Upload failed. Your storage is full.')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(done).toEqual(['retry'])
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(screen.queryByText(/Upload failed/)).toBeNull()
})

it('a voice message on its way has no frame of a picture, and can be cancelled', async () => {
  act(() => uploads.add(upload({ messageType: 'voice', width: 0, height: 0 })))
  expect(await screen.findByText('Voice message')).toBeTruthy()
  expect(screen.queryByRole('img')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel upload' }))
  expect(screen.queryByText('Voice message')).toBeNull()
})

it('an upload into another chat is not shown', async () => {
  act(() => uploads.add(upload({ conversationId: 'd' })))
  expect(await screen.findByText(/Say hello/)).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
})

it('an upload that waits says why, a question is asked in its bubble, and a lost file can be chosen again', async () => {
  const answers: boolean[] = []
  const delay = 'No connection. It goes on when you are back.'
  act(() => uploads.add(upload({ delay, caption: 'At the sea' })))
  expect((await screen.findByRole('status')).textContent).toBe(delay)
  expect(screen.getByText('At the sea')).toBeTruthy()
  const question = { sentences: ['Its sound is lost.'], answer: (isSent: boolean) => answers.push(isSent) }
  act(() => uploads.patch('u', { question, delay: null }))
  expect(screen.getByRole('status').textContent).toContain('Its sound is lost.')
  await userEvent.click(screen.getByRole('button', { name: 'Send anyway' }))
  expect(answers).toEqual([true])
  act(() => uploads.patch('u', { question: null, isLost: true }))
  done.splice(0)
  await userEvent.click(screen.getByRole('button', { name: 'Choose the file again' }))
  expect(done).toEqual(['retry'])
  act(() => uploads.patch('u', { messageType: 'voice' }))
  expect(screen.getByRole('status').textContent).toContain('Not sent. Record it again.')
  expect(screen.queryByRole('button', { name: 'Choose the file again' })).toBeNull()
})
