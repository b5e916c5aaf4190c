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
    previewUrl: null,
    width: 400,
    height: 300,
    progress: 0.25,
    failure: null,
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
