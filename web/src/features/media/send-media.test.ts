import { waitFor } from '@testing-library/react'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { sealedSize } from '@sumlock/sealing/file'
import type { Draft } from '@sumlock/sync/ports'
import { fakePictureWorker } from '../../../test/fake-picture-worker.ts'
import { FakePut, fakeUploads } from '../../../test/fake-uploads.ts'
import { offerCrypto } from '../../../test/offer-crypto.ts'
import { photo } from '../../../test/open-picker.ts'
import { openPicture, openThumb } from './open-picture.ts'
import { createQuestion } from './sender-question.ts'
import { sendFiles, sendMedia } from './send-media.ts'
import type { PreparedMedia } from './prepare/prepared-media.ts'
import { toasts as toastStore, uploads, media, createTestMedia } from '../../../test/page.ts'

offerCrypto()

let server: ReturnType<typeof fakeUploads>
beforeEach(() => {
  fakePictureWorker()
  server = fakeUploads()
})
afterEach(() => {
  for (const { cancel } of uploads.get()) cancel()
  server.restore()
})

const sent: Draft[] = []
const options = (willSeal: () => Promise<boolean> = () => Promise.resolve(false)) => ({
  ...{ conversationId: 'c', willSeal, media },
  send: (draft: Draft) => Promise.resolve(void sent.push(draft)),
})

it('VAL-28: the kind of a file decides the kind of its message, and the bubble leaves when it is sent', async () => {
  FakePut.answerWith = () => 200
  const video: PreparedMedia = {
    ...{ messageType: 'video', file: new Blob(['film']), thumb: null },
    info: { w: 4, h: 3, ms: 1000 },
  }
  await sendMedia({ file: photo() }, options())
  await sendMedia({ file: photo(), caption: ' Look ', prepare: () => Promise.resolve(video) }, options())
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent).toEqual([
    { messageType: 'image', mediaUrl: expect.any(String) },
    { messageType: 'video', mediaUrl: expect.any(String), content: 'Look' },
  ])
  expect(uploads.get()).toEqual([])
})

it('a message that is on its way into the outbox cannot be cancelled', async () => {
  FakePut.answerWith = () => 200
  const stored = Promise.withResolvers<undefined>()
  let sends = 0
  await sendMedia({ file: photo() }, { ...options(), send: () => ((sends += 1), stored.promise) })
  await waitFor(() => expect(sends).toBe(1))
  uploads.get()[0]?.cancel()
  expect(uploads.get()).toHaveLength(1)
  stored.resolve(undefined)
  await waitFor(() => expect(uploads.get()).toEqual([]))
})

it('ERR-22: an upload that failed tells what the server said, or else that it failed', async () => {
  const told = () => toastStore.get()
  await sendMedia({ file: photo() }, options())
  await waitFor(() => expect(FakePut.all).toHaveLength(1))
  FakePut.all[0]?.answer(501, 'Not today.')
  await waitFor(() => expect(told()).toMatchObject({ title: 'Upload failed', description: 'Not today.' }))
  expect(uploads.get()[0]?.failure).toBe('Not today.')
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a failure without a message
  const failure = () => Promise.reject<boolean>()
  await sendMedia({ file: photo() }, options(failure))
  await waitFor(() =>
    expect(told()).toMatchObject({ title: 'Upload failed', description: 'Failed to upload media' }),
  )
})

it('keeps no file that is chosen, or on its way into the outbox, when the session is closed', async () => {
  FakePut.answerWith = () => 200
  const urls = new Set<string>()
  const real = { create: URL.createObjectURL, revoke: URL.revokeObjectURL }
  URL.createObjectURL = () => {
    const url = `blob:${urls.size}`
    urls.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => void urls.delete(url)
  const ended = createTestMedia()
  const prepared = Promise.withResolvers<PreparedMedia>()
  const picture: PreparedMedia = {
    ...{ messageType: 'image', file: new Blob(['picture']), thumb: new Blob(['small']) },
    info: { w: 4, h: 3 },
  }
  const stored = Promise.withResolvers<undefined>()
  let sends = 0
  const given = { ...options(), media: ended, send: () => ((sends += 1), stored.promise) }
  await sendMedia({ file: photo(), prepare: () => Promise.resolve(picture) }, given)
  await waitFor(() => expect(sends).toBe(1))
  const chosen = sendMedia({ file: photo(), prepare: () => prepared.promise }, given)
  ended.close()
  expect(urls.size).toBe(0)
  prepared.resolve(picture)
  await chosen
  expect(ended.uploads.get()).toEqual([])
  expect(urls.size).toBe(0)
  stored.resolve(undefined)
  Object.assign(URL, { createObjectURL: real.create, revokeObjectURL: real.revoke })
})

describe('several files', () => {
  const look = { messageType: 'image' as const, still: null, width: 0, height: 0 }
  const chosen = (caption: string) => ({ file: photo(caption), caption, look })
  const putAt = (number: number) =>
    waitFor(() => {
      expect(FakePut.all).toHaveLength(number)
      return FakePut.all[number - 1] as FakePut
    })
  beforeEach(() => void sent.splice(0))

  it('go out one after the other, and one that was refused for good steps aside', async () => {
    sendFiles(['a', 'b', 'c'].map(chosen), options())
    expect(uploads.get()).toHaveLength(3)
    ;(await putAt(1)).answer(200)
    ;(await putAt(2)).answer(413, 'Your storage is full.')
    ;(await putAt(3)).answer(200)
    await waitFor(() => expect(sent.map(({ content }) => content)).toEqual(['a', 'c']))
    expect(uploads.get()).toMatchObject([{ caption: 'b', failure: 'Your storage is full.' }])
  })

  it('have the time of the timer when they were sent, whatever it is when they have arrived', async () => {
    FakePut.answerWith = () => 200
    let vanishMs: VanishMs | undefined = 3_600_000
    const timed = { ...options(), vanishMs: () => vanishMs }
    sendFiles(['a', 'b'].map(chosen), timed)
    const alone = sendMedia({ file: photo(), caption: 'c' }, timed)
    vanishMs = undefined
    await alone
    await waitFor(() => expect(sent).toHaveLength(3))
    expect(sent.map(({ vanishMs: time }) => time)).toEqual([3_600_000, 3_600_000, 3_600_000])
  })

  it('one that is cancelled makes way for the next', async () => {
    sendFiles(['a', 'b'].map(chosen), options())
    await putAt(1)
    uploads.get()[0]?.cancel()
    ;(await putAt(2)).answer(200)
    await waitFor(() => expect(sent).toMatchObject([{ content: 'b' }]))
  })

  it('one that is cancelled while it waits does not let the next one overtake', async () => {
    const begun: string[] = []
    const last = { ...chosen('c'), prepare: () => (begun.push('c'), Promise.reject(new Error('stop'))) }
    sendFiles([chosen('a'), chosen('b'), last], options())
    const first = await putAt(1)
    uploads.get()[1]?.cancel()
    await new Promise((resolve) => setTimeout(resolve))
    expect(begun).toEqual([])
    first.answer(200)
    await waitFor(() => expect(begun).toEqual(['c']))
    expect(sent).toMatchObject([{ content: 'a' }])
  })

  it('a question about a film is asked in its bubble, and the film goes out after the answer', async () => {
    FakePut.answerWith = () => 200
    const question = createQuestion()
    const video: PreparedMedia = {
      messageType: 'video',
      file: new Blob(['film']),
      thumb: null,
      info: {} as never,
    }
    const prepare = async () => {
      if (!(await question.ask(['Its sound is lost.']))) throw new Error('not wanted')
      return video
    }
    sendFiles([{ ...chosen('a'), question, prepare }], options())
    await waitFor(() => expect(uploads.get()[0]?.question?.sentences).toEqual(['Its sound is lost.']))
    expect(sent).toEqual([])
    uploads.get()[0]?.question?.answer(true)
    await waitFor(() => expect(sent).toMatchObject([{ messageType: 'video' }]))
  })
})

it('what this page has sent is shown from memory, without a download', async () => {
  FakePut.answerWith = () => 200
  await sendMedia({ file: photo() }, options())
  await waitFor(() => expect(sent).not.toEqual([]))
  const { mediaUrl } = sent.at(-1) as { mediaUrl: string }
  const { signal } = new AbortController()
  const calls = server.asked.length
  expect(await (await openPicture({ mediaUrl, media: undefined, io: media }, signal)).text()).toBe('prepared')
  expect(await (await openThumb({ mediaUrl, media: undefined, io: media }, signal))?.text()).toBe('thumb')
  expect(server.asked).toHaveLength(calls)
  media.own.clear()
  expect(await openThumb({ mediaUrl, media: undefined, io: media }, signal)).toBeNull()
})

describe('a file that opens once', () => {
  const chosen = { file: photo(), caption: 'Look', isOnce: true }

  it('leaves sealed without a thumbnail, a hash or a caption, and nothing of it stays here', async () => {
    FakePut.answerWith = () => 200
    sent.splice(0)
    media.own.clear()
    const upload = sendMedia(
      { ...chosen, file: photo() },
      options(() => Promise.resolve(true)),
    )
    await upload
    expect(uploads.get()).toMatchObject([{ isOnce: true, previewUrl: null, caption: '' }])
    await waitFor(() => expect(sent).toHaveLength(1))
    const { media: info, ...draft } = sent[0] as Extract<Draft, { mediaUrl: string }>
    expect(draft).toEqual({ messageType: 'image', mediaUrl: expect.any(String), isOnce: true })
    expect(info).toEqual({ key: expect.any(String), size: 8, thumb: 0, w: 4, h: 3 })
    // The object holds the file of eight bytes and nothing else.
    expect(FakePut.all[0]?.body?.size).toBe(sealedSize(8))
    expect(media.own.size).toBe(0)
  })

  it('leaves plain as the file alone', async () => {
    FakePut.answerWith = () => 200
    sent.splice(0)
    await sendMedia({ ...chosen, file: photo() }, options())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toEqual({ messageType: 'image', mediaUrl: expect.any(String), isOnce: true })
    expect(FakePut.all[0]?.body?.size).toBe(8)
  })

  it('a voice message has no loudness', async () => {
    FakePut.answerWith = () => 200
    sent.splice(0)
    const prepare = (): Promise<PreparedMedia> =>
      Promise.resolve({
        ...{ messageType: 'voice', file: new Blob(['sound']), thumb: null },
        info: { w: 0, h: 0, ms: 1000, bars: 'x'.repeat(64) },
      })
    await sendMedia(
      { file: photo(), isOnce: true, prepare },
      options(() => Promise.resolve(true)),
    )
    await waitFor(() => expect(sent).toHaveLength(1))
    const { media: info } = sent[0] as Extract<Draft, { mediaUrl: string }>
    expect(info).toEqual({ key: expect.any(String), size: 5, thumb: 0, w: 0, h: 0, ms: 1000 })
  })
})
