import type { Draft } from '@sumlock/sync/ports'
import { act, cleanup, fireEvent, render, screen, waitFor } from '../../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { answerOfWorker, fakePictureWorker } from '../../../../test/fake-picture-worker.ts'
import { FakePut, fakeUploads } from '../../../../test/fake-uploads.ts'
import { photo } from '../../../../test/open-picker.ts'
import { media, uploads } from '../../../../test/page.ts'
import { createQuestion } from '../sender-question.ts'
import { MediaPreview } from './MediaPreview.tsx'
import type { MediaPreviewProps } from './MediaPreview.tsx'

let server: ReturnType<typeof fakeUploads>
let sent: Draft[]
let isClosed: boolean
beforeEach(() => {
  fakePictureWorker()
  server = fakeUploads()
  sent = []
  isClosed = false
})
afterEach(() => {
  for (const { cancel } of uploads.get()) cancel()
  act(() => server.restore())
})

function open(
  files: readonly File[],
  props: Partial<MediaPreviewProps> = {},
  from: 'camera' | 'gallery' = 'gallery',
) {
  const options: MediaPreviewProps['options'] = {
    ...{ conversationId: 'c', media, willSeal: () => Promise.resolve(false) },
    send: (draft) => Promise.resolve(void sent.push(draft)),
  }
  const onClose = () => (isClosed = true)
  const given = { name: 'ben', isMultiple: true, chosen: { files, from } }
  return render(<MediaPreview {...given} {...{ options, onClose }} {...props} />, { wrapper: StrictMode })
}
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const caption = () => screen.getByLabelText<HTMLTextAreaElement>('Caption')
const send = async () => {
  await waitFor(() => expect(button('Send').disabled).toBe(false))
  await userEvent.click(button('Send'))
}
const fileOf = (bytes: string, name = 'file') => new File([bytes], name)

it('several files go out in the order of the preview, each with its caption', async () => {
  FakePut.answerWith = () => 200
  open(['a', 'b', 'c'].map((name) => photo(name)))
  for (const [place, text] of ['first', 'second', 'third'].entries()) {
    await userEvent.click(button(new RegExp(`^File ${place + 1} of 3`)))
    await userEvent.type(caption(), text)
  }
  await userEvent.click(button('Move earlier'))
  await send()
  expect(isClosed).toBe(true)
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent.map(({ content }) => content)).toEqual(['first', 'third', 'second'])
})

it('the bubbles stand at once, before a file is prepared or uploaded', async () => {
  let prepare = () => {}
  const isPreparing = new Promise<void>((resolve) => (prepare = resolve))
  fakePictureWorker(async (request) => {
    await isPreparing
    return answerOfWorker(request)
  })
  open([photo('a'), photo('b')])
  await send()
  expect(uploads.get()).toMatchObject([
    { messageType: 'image', previewUrl: expect.stringMatching(/^blob:/), failure: null },
    { messageType: 'image', failure: null },
  ])
  expect(FakePut.all).toEqual([])
  prepare()
  await waitFor(() => expect(FakePut.all).toHaveLength(1))
})

it('a bubble shows the picture of the preview, which releases its others', async () => {
  const revoked: string[] = []
  const real = URL.revokeObjectURL
  URL.revokeObjectURL = (url) => revoked.push(url)
  open([photo('a'), photo('b')])
  await waitFor(() => expect(document.querySelectorAll('li img')).toHaveLength(2))
  const [, still] = [...document.querySelectorAll<HTMLImageElement>('li img')].map(({ src }) => src)
  const { src: large } = screen.getByRole<HTMLImageElement>('img', { name: 'Photo' })
  await send()
  expect(uploads.get()[1]?.previewUrl).toBe(still)
  await waitFor(() => expect(revoked).toContain(large))
  expect(revoked).not.toContain(still)
  URL.revokeObjectURL = real
})

it('D-63: of twelve files ten are taken, and a sentence says so', async () => {
  open(Array.from({ length: 12 }, (_, index) => photo(`${index}`)))
  expect(screen.getAllByRole('listitem')).toHaveLength(10)
  expect(await screen.findByText('10 files are sent at a time. The first 10 are here.')).toBeTruthy()
})

it('D-63: without premium one of several pasted files is taken, and a sentence says so', async () => {
  open([photo('a'), photo('b')], { isMultiple: false })
  expect(screen.queryByRole('list')).toBeNull()
  expect(await screen.findByText(/^Without premium, one file is sent at a time/)).toBeTruthy()
})

const sized = (size: number) => Object.defineProperty(photo(), 'size', { value: size })
const film = () => fileOf('\0\0\0\x10ftypisom')
it.each([
  ['a PDF', fileOf('%PDF-1.7'), 'gallery', /^PDF files cannot be sent\./],
  ['a text', fileOf('Bread'), 'gallery', /^This file is neither a picture nor a video/],
  ['an empty file', fileOf(''), 'gallery', /^This file is empty\./],
  ['a film of the camera', film(), 'camera', /^Only pictures can be sent here\./],
] as const)('%s is refused in the preview, by a sentence', async (_name, file, from, sentence) => {
  open([file], {}, from)
  expect((await screen.findByRole('alert')).textContent).toMatch(sentence)
  expect(button('Send').disabled).toBe(true)
})

/** A picture of exactly `megabytes` is taken, and one with a byte more is refused. */
async function limited(from: 'camera' | 'gallery', megabytes: number): Promise<void> {
  const limit = megabytes * 1024 * 1024
  open([sized(limit)], {}, from)
  await waitFor(() => expect(button('Send').disabled).toBe(false))
  expect(screen.queryByRole('alert')).toBeNull()
  cleanup()
  open([sized(limit + 1)], {}, from)
  expect((await screen.findByRole('alert')).textContent).toContain(`larger than ${megabytes} MB`)
  expect(button('Send').disabled).toBe(true)
}

it('CHAT-12: a picture of the camera has at most 10 MB, and a sentence says so', () => limited('camera', 10))

it('CHAT-13: a picture of the gallery has at most 50 MB, and a sentence says so', () =>
  limited('gallery', 50))

it('each of ten large pictures can be edited', async () => {
  open(Array.from({ length: 10 }, () => sized(12_000_000)))
  for (let place = 1; place <= 10; place += 1) {
    await userEvent.click(button(new RegExp(`^File ${place} of 10`)))
    await waitFor(() => expect(button('Edit').disabled).toBe(false))
  }
})

it('a picture that turns out to be unreadable is named, and the others are sent without it', async () => {
  FakePut.answerWith = () => 200
  const bad = photo('bad.heic')
  fakePictureWorker((request) => (request.file === bad ? 'heic' : answerOfWorker(request)))
  open([bad, photo('good')])
  expect((await screen.findByRole('alert')).textContent).toContain('This browser cannot open HEIC pictures.')
  expect(await screen.findByText('1 of 2 files cannot be sent. The others go without it.')).toBeTruthy()
  expect(button('File 1 of 2, cannot be sent')).toBeTruthy()
  await send()
  await waitFor(() => expect(sent).toHaveLength(1))
})

it('a caption that is too long is shown again instead of being sent or cut', async () => {
  open([photo('a'), photo('b')])
  await userEvent.click(await screen.findByRole('button', { name: /^File 2/ }))
  fireEvent.change(caption(), { target: { value: 'x'.repeat(4001) } })
  await userEvent.click(button(/^File 1/))
  await send()
  expect(isClosed).toBe(false)
  expect(caption().value).toHaveLength(4001)
  expect(screen.getByText(/^A caption has at most 4,000 characters/)).toBeTruthy()
})

it('a caption that is too long does not hold back the others once its file is refused', async () => {
  const bad = photo('bad.heic')
  const checked = Promise.withResolvers<undefined>()
  fakePictureWorker(async (request) => {
    if (request.file !== bad) return answerOfWorker(request)
    await checked.promise
    return 'heic' as const
  })
  open([photo('good'), bad])
  await userEvent.click(button(/^File 2/))
  fireEvent.change(caption(), { target: { value: 'x'.repeat(4001) } })
  checked.resolve(undefined)
  await screen.findByRole('alert')
  await send()
  expect(isClosed).toBe(true)
})

it('the focus stays in the preview when the focused button leaves, and a move tells the new place', async () => {
  open([photo('a'), photo('b')])
  button('Move later').focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByText('File 2 of 2, photo').getAttribute('role')).toBe('status')
  button('Remove').focus()
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Send to ben' }))
})

it('a file is removed from the preview, and the last one closes it', async () => {
  open([photo('a'), photo('b')])
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
  expect(screen.queryByRole('list')).toBeNull()
  await userEvent.click(button('Close'))
  expect(isClosed).toBe(true)
  expect(uploads.get()).toEqual([])
})

it('a question about a file stays open until it is answered, wherever it is shown', async () => {
  const question = createQuestion()
  const shown: (readonly string[] | undefined)[] = []
  question.subscribe(() => shown.push(question.get()?.sentences))
  const answer = question.ask(['Its sound is lost.'])
  question.get()?.answer(true)
  expect(await answer).toBe(true)
  expect(shown).toEqual([['Its sound is lost.'], undefined])
})

describe('view once', () => {
  const toggle = () => button('View once')
  beforeEach(() => {
    FakePut.answerWith = () => 200
  })

  it('is off at first, says what it does, and sends the file without its caption', async () => {
    open([photo('a')])
    await userEvent.type(caption(), 'Look')
    expect(toggle().getAttribute('aria-pressed')).toBe('false')
    const note = document.getElementById(toggle().getAttribute('aria-describedby') ?? '')
    expect(note?.textContent).toBe('It opens once. A camera or a changed app can still keep it.')
    await userEvent.click(toggle())
    expect(toggle().getAttribute('aria-pressed')).toBe('true')
    expect(screen.queryByLabelText('Caption')).toBeNull()
    expect(
      screen.getByText(
        'It opens once. Its caption is not sent. A camera or a changed app can still keep it.',
      ),
    ).toBeTruthy()
    await send()
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toEqual({ messageType: 'image', mediaUrl: expect.any(String), isOnce: true })
  })

  it('counts for the shown file alone, and the row of files marks it', async () => {
    open([photo('a'), photo('b')])
    await userEvent.click(button('File 2 of 2, photo'))
    await userEvent.click(toggle())
    expect(screen.getByText(/^This file opens once\./)).toBeTruthy()
    await userEvent.click(button('File 1 of 2, photo'))
    expect(toggle().getAttribute('aria-pressed')).toBe('false')
    await userEvent.type(caption(), 'Look')
    expect(button('File 2 of 2, photo, view once').querySelectorAll('svg')).toHaveLength(1)
    expect(button('File 1 of 2, photo').querySelectorAll('svg')).toHaveLength(0)
    await send()
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[0]).toMatchObject({ content: 'Look' })
    expect(sent[0]).not.toHaveProperty('isOnce')
    expect(sent[1]).toEqual({ messageType: 'image', mediaUrl: expect.any(String), isOnce: true })
  })

  it('is not offered for a file that cannot be sent', async () => {
    open([photo('a'), fileOf('%PDF-1.7')])
    await userEvent.click(await screen.findByRole('button', { name: 'File 2 of 2, cannot be sent' }))
    expect(screen.queryByRole('button', { name: 'View once' })).toBeNull()
  })

  it('can be turned off again, with the caption', async () => {
    open([photo('a')])
    await userEvent.type(caption(), 'Look')
    await userEvent.click(toggle())
    await userEvent.click(toggle())
    expect(caption().value).toBe('Look')
    await send()
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ content: 'Look' })
    expect(sent[0]).not.toHaveProperty('isOnce')
  })

  it('shows no picture in the bubble, and releases that of the preview', async () => {
    const revoked: string[] = []
    const real = URL.revokeObjectURL
    URL.revokeObjectURL = (url) => revoked.push(url)
    FakePut.answerWith = undefined
    open([photo('a')])
    const { src } = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo' })
    await userEvent.click(toggle())
    await send()
    expect(uploads.get()).toMatchObject([{ isOnce: true, previewUrl: null }])
    expect(revoked).toContain(src)
    URL.revokeObjectURL = real
  })

  it('is on for a file that was lost and chosen again', () => {
    open([photo('a')], { chosen: { files: [photo('a')], from: 'gallery', isOnce: true } })
    expect(toggle().getAttribute('aria-pressed')).toBe('true')
  })
})
