import { jest } from '@jest/globals'
import { FakePut, fakeUploads } from '../../../test/fake-uploads.ts'
import { uploadFile } from './upload-file.ts'
import { onSignedOut, busy, media } from '../../../test/page.ts'

const file = new Blob(['file'])
let server: ReturnType<typeof fakeUploads>
beforeEach(() => {
  jest.useFakeTimers()
  server = fakeUploads()
})
afterEach(() => {
  server.restore()
  jest.useRealTimers()
})

const upload = () =>
  uploadFile(file, {
    ...{ conversationId: 'c', media },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
const settled = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

/** Returns when each PUT was sent, in seconds after the first one, if every PUT is answered with the same status. */
async function timesOfTries(status: number): Promise<number[]> {
  const times: number[] = []
  FakePut.answerWith = () => {
    times.push(Date.now())
    return status
  }
  const ended = settled(upload())
  await jest.advanceTimersByTimeAsync(120_000)
  await ended
  return times.map((time) => (time - (times[0] as number)) / 1000)
}

it('LIM-12: the pauses before the retries of an upload are 0, 1, 3 and 5 seconds, and 5 from then on', async () => {
  expect((await timesOfTries(503)).slice(0, 6)).toEqual([0, 0, 1, 4, 9, 14])
})

it('LIM-13: an upload is given up after ten retries', async () => {
  expect(await timesOfTries(503)).toHaveLength(11)
})

describe('ERR-47: an upload that was refused', () => {
  it.each([408, 409, 418, 423, 429, 500, 502, 503, 504, 507])('is tried again after %i', async (status) => {
    FakePut.answerWith = (number) => (number === 1 ? status : 200)
    const stored = upload()
    await jest.advanceTimersByTimeAsync(1)
    expect(await stored).toBe('/api/objects/1')
    expect(FakePut.all).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 413, 501, 505])('is not tried again after %i', async (status) => {
    expect(await timesOfTries(status)).toHaveLength(1)
  })
})

it('ERR-45: an upload that is answered with 401 ends, and asks the person to sign in', async () => {
  let isAsked = false
  const stop = onSignedOut(() => (isAsked = true))
  FakePut.answerWith = () => 401
  await expect(upload()).rejects.toMatchObject({ status: 401 })
  stop()
  expect(isAsked).toBe(true)
})

it('ERR-46: the message of another 4xx is what the person reads', async () => {
  const failed = settled(upload())
  await jest.advanceTimersByTimeAsync(1)
  FakePut.all[0]?.answer(413, 'Your storage is full.')
  expect(await failed).toMatchObject({ message: 'Your storage is full.' })
})

it('a lost connection has a sentence of its own', async () => {
  FakePut.answerWith = () => 0
  const failed = settled(upload())
  await jest.advanceTimersByTimeAsync(120_000)
  expect(await failed).toMatchObject({ message: 'The connection was lost. Please try again.' })
})

it('a try that sends nothing for 30 s is ended and repeated, one that goes on is not', async () => {
  const stored = upload()
  await jest.advanceTimersByTimeAsync(29_000)
  FakePut.all[0]?.progress(0.5)
  await jest.advanceTimersByTimeAsync(29_000)
  expect(FakePut.all).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(1001)
  expect(FakePut.all.map(({ isAborted }) => isAborted)).toEqual([true, false])
  FakePut.all[1]?.answer(200)
  expect(await stored).toBe('/api/objects/1')
})

it('an upload whose tries all hang is given up after ten retries', async () => {
  const failed = settled(upload())
  await jest.advanceTimersByTimeAsync(10 * 60_000)
  expect(FakePut.all).toHaveLength(11)
  expect(await failed).toMatchObject({ message: 'The connection was lost. Please try again.' })
})

it('an upload waits for a lost connection for as long as it takes, and such tries do not count', async () => {
  let onLoss = () => {}
  const loss = {
    isLasting: true,
    subscribe: (listener: () => void) => {
      onLoss = listener
      return () => undefined
    },
  }
  FakePut.answerWith = () => (loss.isLasting ? 0 : 200)
  const stored = uploadFile(file, {
    ...{ conversationId: 'c', media: { ...media, loss } },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  await jest.advanceTimersByTimeAsync(30 * 60_000)
  expect(FakePut.all.length).toBeGreaterThan(11)
  const tries = FakePut.all.length
  loss.isLasting = false
  onLoss()
  await jest.advanceTimersByTimeAsync(1)
  await expect(stored).resolves.toBe('/api/objects/1')
  expect(FakePut.all).toHaveLength(tries + 1)
})

it('LIM-11: of ten uploads at most six have a request running at once', async () => {
  let open = 0
  let most = 0
  const begin = server.answers['POST /api/objects/upload'] as NonNullable<(typeof server.answers)[string]>
  server.answers['POST /api/objects/upload'] = async (body) => {
    open += 1
    most = Math.max(most, open + FakePut.all.filter(FakePut.isOpen).length)
    await Promise.resolve()
    open -= 1
    return begin(body) as { status: number }
  }
  const stored = Promise.all(Array.from({ length: 10 }, upload))
  while (FakePut.all.filter(({ isDone }) => isDone).length < 10) {
    await jest.advanceTimersByTimeAsync(1)
    most = Math.max(most, FakePut.all.filter(FakePut.isOpen).length)
    FakePut.all.find(FakePut.isOpen)?.answer(200)
  }
  await stored
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(6)
})

it('an upload counts as activity while it is sent, not while it waits for its next try', async () => {
  const stored = upload()
  const answer = async (index: number, status: number) => {
    expect(busy.isBusy()).toBe(true)
    FakePut.all[index]?.answer(status)
    await jest.advanceTimersByTimeAsync(1)
  }
  await jest.advanceTimersByTimeAsync(1)
  await answer(0, 503)
  await answer(1, 503)
  expect(busy.isBusy()).toBe(false)
  await jest.advanceTimersByTimeAsync(1000)
  await answer(2, 200)
  await stored
  expect(busy.isBusy()).toBe(false)
})

it('CALL-56: the upload of a chat does not use the calls of the companion service', async () => {
  FakePut.answerWith = () => 200
  await upload()
  expect(server.asked).toContain('POST /api/objects/upload')
  expect(server.asked.filter((call) => call.includes('/api/s3/'))).toEqual([])
})
