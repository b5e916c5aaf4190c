import userEvent from '@testing-library/user-event'
import { fakeApi } from '../../../test/fake-api.ts'
import { fakeMessaging, messageAt } from '../../../test/fake-messaging.tsx'
import { uploads } from '../../../test/page.ts'
import { act, cleanup, fireEvent, render, screen, waitFor } from '../../../test/render.tsx'
import type { Upload } from '../media/uploads.ts'
import { MessageList } from './MessageList.tsx'

let server: ReturnType<typeof fakeApi>
let messaging: Awaited<ReturnType<typeof fakeMessaging>>
beforeEach(async () => {
  const body = [messageAt(1, { isRead: true })]
  server = fakeApi({ 'GET /api/conversations/c/messages?limit=50': () => ({ status: 200, body }) })
  messaging = await fakeMessaging()
  render(<MessageList conversationId="c" name="ben" isWithheld={false} />, { wrapper: messaging.Wrapper })
  await screen.findByText('no. 1')
})
afterEach(() => {
  cleanup()
  for (const { id } of uploads.get()) uploads.remove(id)
  server.restore()
  messaging.close()
})

/** Scrolls up in a list of several screens, and returns its scroller. */
function readAbove(): HTMLElement {
  const scroller = screen.getByRole('log')
  Object.defineProperties(scroller, { scrollHeight: { value: 3000 }, clientHeight: { value: 600 } })
  for (const top of [2400, 500]) {
    scroller.scrollTop = top
    fireEvent.scroll(scroller)
  }
  return scroller
}
const upload = (id: string, failure: string | null = null): Upload => ({
  ...{ id, conversationId: 'c', messageType: 'image', caption: '', previewUrl: null, width: 4, height: 3 },
  ...{ progress: 0, failure, delay: null, question: null, isLost: false },
  ...{ retry: () => undefined, cancel: () => undefined },
})

it('an own text leads to the end, even below a file that is on its way', async () => {
  act(() => uploads.add(upload('a')))
  const scroller = readAbove()
  act(() => void messaging.outbox.add('c', { messageType: 'text', content: 'Look' }))
  await waitFor(() => expect(scroller.scrollTop).toBe(3000))
})

it('a file that is sent or cancelled leaves the reader in place, whatever else waits', () => {
  act(() => uploads.add(upload('a', 'Your storage is full.')))
  act(() => uploads.add(upload('b')))
  const scroller = readAbove()
  act(() => uploads.remove('b'))
  expect(scroller.scrollTop).toBe(500)
})

it('the button to the end leaves the focus in the list, where the arrow keys go on', async () => {
  const scroller = readAbove()
  await userEvent.click(await screen.findByRole('button', { name: 'Newest messages' }))
  expect(scroller.scrollTop).toBe(3000)
  expect(screen.queryByRole('button', { name: 'Newest messages' })).toBeNull()
  expect(document.activeElement).toBe(scroller)
})
