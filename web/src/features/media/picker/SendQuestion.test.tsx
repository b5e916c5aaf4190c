import type { Draft } from '@sumlock/sync/ports'
import { act, render, screen, waitFor, within } from '../../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { FakePut, fakeUploads } from '../../../../test/fake-uploads.ts'
import { filmOf } from '../../../../test/film-fixtures.ts'
import { MediaPicker } from './MediaPicker.tsx'
import { uploads, media } from '../../../../test/page.ts'

const source = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'src') ?? {}
const { load } = HTMLMediaElement.prototype
let server: ReturnType<typeof fakeUploads>
let sent: Draft[]
beforeEach(() => {
  server = fakeUploads()
  FakePut.answerWith = () => 200
  sent = []
  HTMLMediaElement.prototype.load = () => undefined
  // Simulates a browser that decodes no video.
  Object.defineProperty(HTMLMediaElement.prototype, 'src', {
    configurable: true,
    set(this: HTMLMediaElement) {
      queueMicrotask(() => this.dispatchEvent(new Event('error')))
    },
  })
})
afterEach(() => {
  Object.defineProperty(HTMLMediaElement.prototype, 'src', source)
  HTMLMediaElement.prototype.load = load
  for (const { cancel } of uploads.get()) cancel()
  act(() => server.restore())
})

/** Drops a film into a chat and presses Upload. */
async function upload(name: string) {
  const options = {
    ...{ conversationId: 'c', media, willSeal: () => Promise.resolve(false) },
    send: (draft: Draft) => Promise.resolve(void sent.push(draft)),
  }
  // The library takes the blobs of Node, but not the files of jsdom.
  const file = Object.assign(new Blob([filmOf(name)], { type: 'video/mp4' }), { name }) as unknown as File
  const opened = render(<MediaPicker {...{ options, file }} onClose={() => undefined} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Upload 1 file' }))
  return opened
}
const question = () => screen.findByRole('dialog', { name: 'Send this video?' })

it('a film that hides seconds is sent only after a question that names them', async () => {
  await upload('film-cut-without-coding.mp4')
  expect((await question()).textContent).toContain(
    '4 seconds that you cut out of this video are still in it (0:00–0:04 of the recording).',
  )
  expect(FakePut.all).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Send anyway' }))
  await waitFor(() => expect(sent).toMatchObject([{ messageType: 'video' }]))
})

it('after Cancel the film stays chosen, nothing is sent, and another press asks again', async () => {
  await upload('film-cut-without-coding.mp4')
  await userEvent.click(within(await question()).getByRole('button', { name: 'Cancel' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This video was not sent. Choose another one, or try again.',
  )
  expect(screen.queryByRole('dialog', { name: 'Send this video?' })).toBeNull()
  expect(screen.getByText('film-cut-without-coding.mp4')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Retry upload' }))
  await question()
  expect(FakePut.all).toEqual([])
})

it('a film whose sound is coded in a foreign way is offered without it', async () => {
  await upload('film-cinema-sound.mp4')
  expect((await question()).textContent).toContain('It would be sent without sound.')
  await userEvent.click(screen.getByRole('button', { name: 'Send anyway' }))
  await waitFor(() => expect(sent).toMatchObject([{ messageType: 'video' }]))
})

it('a question whose widget is closed is answered with no, and nothing is sent', async () => {
  const { unmount } = await upload('film-cut-without-coding.mp4')
  await question()
  unmount()
  await act(() => Promise.resolve())
  expect(uploads.get()).toEqual([])
  expect(FakePut.all).toEqual([])
})
