import type { Draft } from '@sumlock/sync/ports'
import { act, fireEvent, render, screen, waitFor, within } from '../../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { conversationWith } from '../../../../test/conversation-with.ts'
import { fakeMessaging } from '../../../../test/fake-messaging.tsx'
import { fakePictureWorker } from '../../../../test/fake-picture-worker.ts'
import { FakePut, fakeUploads } from '../../../../test/fake-uploads.ts'
import { photo } from '../../../../test/open-picker.ts'
import { Tooltips } from '../../../shared/ui/TipButton.tsx'
import { ChatScreen } from '../../chat/ChatScreen.tsx'
import { MediaPicker } from './MediaPicker.tsx'
import type { MediaPickerProps } from './MediaPicker.tsx'
import { toasts as toastStore, pickerGrace, uploads, media } from '../../../../test/page.ts'

let server: ReturnType<typeof fakeUploads>
beforeEach(() => {
  fakePictureWorker()
  server = fakeUploads()
})
afterEach(() => {
  for (const { cancel } of uploads.get()) cancel()
  act(() => server.restore())
  pickerGrace.end()
})

let sent: Draft[]
let isClosed: boolean
function open(props: Partial<MediaPickerProps> = {}) {
  sent = []
  isClosed = false
  const options: MediaPickerProps['options'] = {
    ...{ conversationId: 'c', media },
    willSeal: () => Promise.resolve(false),
    send: (draft) => Promise.resolve(void sent.push(draft)),
  }
  const onClose = () => (isClosed = true)
  return render(<MediaPicker {...{ options, onClose }} {...props} />, { wrapper: StrictMode })
}
const inputs = () => document.querySelectorAll<HTMLInputElement>('input[type=file]')
const upload = async () => userEvent.click(await screen.findByRole('button', { name: 'Upload 1 file' }))
const nextPut = (number: number) =>
  waitFor(() => {
    expect(FakePut.all).toHaveLength(number)
    return FakePut.all[number - 1] as FakePut
  })

describe('in a chat', () => {
  let messaging: Awaited<ReturnType<typeof fakeMessaging>>
  beforeEach(async () => {
    server.answers['GET /api/conversations'] = () => ({ status: 200, body: [conversationWith()] })
    server.answers['GET /api/conversations/c/messages?limit=50'] = () => ({ status: 200, body: [] })
    messaging = await fakeMessaging()
    render(
      <messaging.Wrapper>
        <Tooltips>
          <MemoryRouter initialEntries={['/conversation/c']}>
            <Routes>
              <Route path="/conversation/:id" element={<ChatScreen />} />
            </Routes>
          </MemoryRouter>
        </Tooltips>
      </messaging.Wrapper>,
    )
  })
  afterEach(() => messaging.close())

  it('UP-07: a dropped file opens the widget in a modal dialog', async () => {
    const dataTransfer = { files: [photo('dropped.jpg')], types: ['Files'] }
    // The part of the chat that takes the file is loaded late.
    await waitFor(() => expect(fireEvent.drop(document.body, { dataTransfer })).toBe(false))
    const dialog = await screen.findByRole('dialog', { name: 'Choose a photo or video' })
    expect(dialog.querySelector('.uppy-Dashboard')).not.toBeNull()
    expect(await within(dialog).findByText('dropped.jpg')).toBeTruthy()
  })

  it('UP-01 UP-07: the widget stands in the page, by the options of the conversation', async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Conversation options' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Add media' }))
    const section = await screen.findByRole('region', { name: 'Add media' })
    expect(section.querySelector('.uppy-Dashboard')).not.toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(section.contains(document.activeElement)).toBe(true)
  })
})

it('CHAT-13: the widget has one input for one picture or video', () => {
  open()
  expect(document.querySelectorAll('.uppy-Root')).toHaveLength(1)
  expect(inputs()).toHaveLength(1)
  expect(inputs()[0]?.hasAttribute('capture')).toBe(false)
  expect(inputs()[0]?.multiple).toBe(false)
  expect(inputs()[0]?.accept).toBe('image/*, video/*')
})

it('CHAT-13: the widget takes a file of 52428800 bytes and none that is larger', async () => {
  const sized = (size: number) => Object.defineProperty(photo(`${size}.jpg`), 'size', { value: size })
  const { unmount } = open({ file: sized(52_428_800) })
  expect(await screen.findByText('52428800.jpg')).toBeTruthy()
  unmount()
  open({ file: sized(52_428_801) })
  const [told] = await screen.findAllByRole('alert')
  expect(told?.textContent).toContain('This file is larger than 50 MB. Choose a smaller one.')
  expect(screen.queryByText('52428801.jpg')).toBeNull()
})

it('a picture that was sent closes the dialog', async () => {
  open({ file: photo() })
  await upload()
  ;(await nextPut(1)).answer(200)
  await waitFor(() => expect(isClosed).toBe(true))
  expect(sent).toHaveLength(1)
})

it('closed during an upload, the widget leaves it to the chat, which sends the same bytes once', async () => {
  const { unmount } = open({ file: photo() })
  await upload()
  const first = await nextPut(1)
  unmount()
  expect(first.isAborted).toBe(true)
  const second = await nextPut(2)
  expect(uploads.get()).toMatchObject([{ conversationId: 'c', failure: null }])
  expect(second.body).toBe(first.body)
  second.answer(200)
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(uploads.get()).toEqual([])
})

it('closed after a failure, the widget leaves it to the chat, where it waits for another try', async () => {
  const { unmount } = open({ file: photo() })
  await upload()
  ;(await nextPut(1)).answer(413, 'Your storage is full.')
  expect(
    await screen.findByText('Your storage is full.', { selector: 'p[role=alert].text-danger' }),
  ).toBeTruthy()
  unmount()
  await waitFor(() => expect(uploads.get()).toMatchObject([{ failure: 'Your storage is full.' }]))
  expect(FakePut.all).toHaveLength(1)
  uploads.get()[0]?.retry()
  ;(await nextPut(2)).answer(200)
  await waitFor(() => expect(sent).toHaveLength(1))
})

describe('view once', () => {
  const toggle = () => screen.findByRole('button', { name: 'View once' })
  const once = { messageType: 'image', mediaUrl: expect.any(String) as string, isOnce: true }

  it.each([false, true])(
    'a picture is sent to be opened once, and then the widget closes (inline: %s)',
    async (isInline) => {
      media.own.clear()
      open({ file: photo(), isInline })
      expect((await toggle()).getAttribute('aria-pressed')).toBe('false')
      await userEvent.click(await toggle())
      expect((await toggle()).getAttribute('aria-pressed')).toBe('true')
      expect(screen.getAllByText(/^It opens once\./).some((note) => !note.hidden)).toBe(true)
      await upload()
      const put = await nextPut(1)
      expect(screen.queryByRole('button', { name: 'View once' })).toBeNull()
      put.answer(200)
      await waitFor(() => expect(isClosed).toBe(true))
      expect(sent).toEqual([once])
      expect(media.own.size).toBe(0)
    },
  )

  it('closed during its upload, the widget leaves it to the chat, which shows nothing of it', async () => {
    const { unmount } = open({ file: photo() })
    await userEvent.click(await toggle())
    await upload()
    const first = await nextPut(1)
    unmount()
    const second = await nextPut(2)
    expect(uploads.get()).toMatchObject([{ isOnce: true, previewUrl: null }])
    expect(second.body).toBe(first.body)
    second.answer(200)
    await waitFor(() => expect(sent).toEqual([once]))
  })

  it('the next file begins without it', async () => {
    open()
    await userEvent.upload(inputs()[0] as HTMLInputElement, photo())
    await userEvent.click(await toggle())
    await userEvent.click(screen.getByRole('button', { name: /^Remove file/ }))
    expect(screen.queryByRole('button', { name: 'View once' })).toBeNull()
    await userEvent.upload(inputs()[0] as HTMLInputElement, photo('other.jpg'))
    expect((await toggle()).getAttribute('aria-pressed')).toBe('false')
  })
})

it('closed before an upload, the widget leaves nothing', async () => {
  const { unmount } = open({ file: photo() })
  await screen.findByText('holiday.jpg')
  unmount()
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(uploads.get()).toEqual([])
})

it.each(['cancel', 'change'])(
  'the page may be hidden from the press on browse until the %s event',
  async (end) => {
    open()
    await userEvent.click(screen.getByRole('button', { name: 'browse' }))
    expect(pickerGrace.isArmed()).toBe(true)
    fireEvent(inputs()[0] as HTMLInputElement, new Event(end, { bubbles: true }))
    expect(pickerGrace.isArmed()).toBe(false)
    expect(isClosed).toBe(false)
  },
)

const sentences = async () => (await screen.findAllByRole('alert')).map(({ textContent }) => textContent)
const fileOf = (bytes: string, name: string, type: string) => new File([bytes], name, { type })

it('a picture that can never be sent leaves the widget with one sentence, and another one can be chosen', async () => {
  fakePictureWorker(({ step }) => (step === 'prepare' ? 'heic' : new Blob(['preview'])))
  open({ file: photo('holiday.heic') })
  await upload()
  expect(await sentences()).toEqual([
    'This browser cannot open HEIC pictures. Save it as JPEG and choose that file.',
  ])
  for (const text of [/failedToUpload/, /holiday\.heic/, /of \d+ files? uploaded/, 'Upload failed'])
    expect(screen.queryByText(text)).toBeNull()
  for (const name of ['Retry upload', 'Show error details'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.getByRole('button', { name: 'browse' })).toBeTruthy()
  fakePictureWorker()
  await userEvent.upload(inputs()[0] as HTMLInputElement, photo())
  await screen.findByText('holiday.jpg')
  expect(screen.queryByRole('alert')).toBeNull()
})

it.each([
  ['a PDF', fileOf('%PDF-1.7', 'photo.jpg', 'image/jpeg'), /^PDF files cannot be sent\./],
  ['a text', fileOf('Bread', 'list.txt', 'text/plain'), /^This file is neither a picture nor a video/],
  ['a sound', fileOf('ID3\x04', 'clip.mp4', 'video/mp4'), /^Sound files cannot be sent\./],
])('%s is refused at once by its bytes, with a sentence of its own', async (_name, file, sentence) => {
  open({ file })
  const told = await sentences()
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(sentence)
  await waitFor(() => expect(screen.queryByText(file.name)).toBeNull())
})

it.each([
  ['no type and no ending', fileOf('GIF89a', 'photo', '')],
  ['the type of a text', fileOf('GIF89a', 'photo.txt', 'text/plain')],
  ['the type of a film', fileOf('GIF89a', 'photo.mp4', 'video/mp4')],
])('a picture with %s is sent as a picture', async (_name, file) => {
  open({ file })
  await screen.findByText(file.name)
  await upload()
  ;(await nextPut(1)).answer(200)
  await waitFor(() => expect(sent).toMatchObject([{ messageType: 'image' }]))
})

it('a picture that is refused after the widget was closed is told by a toast', async () => {
  let answer: (reason: 'too_long') => void = () => undefined
  const asked = fakePictureWorker(({ step }) =>
    step === 'prepare' ? new Promise((resolve) => (answer = resolve)) : new Blob(['preview']),
  )
  const { unmount } = open({ file: photo() })
  await upload()
  await waitFor(() => expect(asked.at(-1)?.step).toBe('prepare'))
  unmount()
  answer('too_long')
  await waitFor(() =>
    expect(toastStore.get()?.description).toContain('This picture is too long to stay readable.'),
  )
})
