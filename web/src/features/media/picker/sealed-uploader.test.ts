import { jest } from '@jest/globals'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { answerOfWorker, fakePictureWorker } from '../../../../test/fake-picture-worker.ts'
import { FakePut, fakeUploads } from '../../../../test/fake-uploads.ts'
import { closePickers, openPicker } from '../../../../test/open-picker.ts'

let server: ReturnType<typeof fakeUploads>
beforeEach(() => {
  fakePictureWorker()
  server = fakeUploads()
})
afterEach(() => {
  jest.useRealTimers()
  closePickers()
  server.restore()
})

/** Some steps have a button both in the list and in the status bar. */
const press = async (name: string) => {
  const [button] = await screen.findAllByRole('button', { name })
  await userEvent.click(button as HTMLElement)
}
const nextPut = (number: number) =>
  waitFor(() => {
    expect(FakePut.all).toHaveLength(number)
    return FakePut.all[number - 1] as FakePut
  })

/** Adds a picture and starts its upload by the button. */
async function start(options: Parameters<typeof openPicker>[0] = {}) {
  const opened = openPicker(options)
  const id = opened.add()
  await press('Upload 1 file')
  const isNow = (state: string) =>
    waitFor(() => expect(opened.shows(`.uppy-StatusBar.is-${state}`)).toBe(true))
  return { ...opened, id, isNow, file: () => opened.picker.getFile(id) }
}

it('an upload is prepared, stored, registered and sent by one press, and the message has the caption', async () => {
  const { picker, sent, add } = openPicker()
  picker.setFileMeta(add(), { caption: ' At the sea ' })
  await press('Upload 1 file')
  const put = await nextPut(1)
  expect(sent).toEqual([])
  put.answer(200)
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({ messageType: 'image', mediaUrl: '/api/objects/1', content: 'At the sea' })
})

it('the message has the time of the timer when it was sent, also after a failed try', async () => {
  let vanishMs: VanishMs | undefined = 3_600_000
  const { sent } = await start({ vanishMs: () => vanishMs })
  const put = await nextPut(1)
  vanishMs = undefined
  put.answer(501)
  await press('Retry upload')
  ;(await nextPut(2)).answer(200)
  await waitFor(() => expect(sent).toMatchObject([{ vanishMs: 3_600_000 }]))
})

describe('STATE-35: the widget as a whole', () => {
  it('waits, preprocesses, uploads, is paused, postprocesses and is complete', async () => {
    const worker = Promise.withResolvers<void>()
    fakePictureWorker(async (request) => {
      if (request.step === 'prepare') await worker.promise
      return answerOfWorker(request)
    })
    const register = Promise.withResolvers<{ status: number; body: object }>()
    server.answers['PUT /api/media'] = () => register.promise
    const { target, shows, add } = openPicker()
    const isNow = (state: string) => waitFor(() => expect(shows(`.uppy-StatusBar.is-${state}`)).toBe(true))
    add()
    await isNow('waiting')
    await press('Upload 1 file')
    await isNow('preprocessing')
    worker.resolve()
    await isNow('uploading')
    await nextPut(1)
    await press('Pause')
    await waitFor(() => expect(target.textContent).toContain('Upload paused'))
    await press('Resume')
    ;(await nextPut(2)).answer(200)
    await isNow('postprocessing')
    register.resolve({ status: 200, body: { objectPath: '/api/objects/2' } })
    await isNow('complete')
  })

  it('is in error when the upload has failed', async () => {
    const { isNow } = await start()
    ;(await nextPut(1)).answer(501)
    await isNow('error')
  })
})

describe('STATE-36: a file', () => {
  it('is new, processing, started and complete', async () => {
    const worker = Promise.withResolvers<void>()
    fakePictureWorker(async (request) => {
      if (request.step === 'prepare') await worker.promise
      return answerOfWorker(request)
    })
    const { picker, add } = openPicker()
    const state = () => picker.getObjectOfFilesPerState()
    add()
    expect(state().newFiles).toHaveLength(1)
    await press('Upload 1 file')
    await waitFor(() => expect(state().processingFiles).toHaveLength(1))
    worker.resolve()
    const put = await nextPut(1)
    expect(state().startedFiles).toHaveLength(1)
    put.answer(200)
    await waitFor(() => expect(state().isAllComplete).toBe(true))
    expect(state().completeFiles).toHaveLength(1)
  })

  it('may be paused, errored or a ghost', async () => {
    const { picker, id } = await start()
    const state = () => picker.getObjectOfFilesPerState()
    await nextPut(1)
    picker.pauseResume(id)
    expect(state().pausedFiles).toHaveLength(1)
    picker.pauseResume(id)
    ;(await nextPut(2)).answer(501)
    await waitFor(() => expect(state().erroredFiles).toHaveLength(1))
    picker.setFileState(id, { isGhost: true })
    expect(state().isSomeGhost).toBe(true)
  })
})

it('STATE-37: a retry clears error and pause, and starts the failed file again', async () => {
  const { picker, sent, id, isNow, file } = await start()
  ;(await nextPut(1)).answer(501)
  await isNow('error')
  picker.setFileState(id, { isPaused: true })
  await press('Retry upload')
  expect(file()).toMatchObject({ error: null, isPaused: false })
  expect(picker.getState().error).toBeNull()
  ;(await nextPut(2)).answer(200)
  await waitFor(() => expect(sent).toHaveLength(1))
})

it('a picture is prepared once and every try sends the same bytes', async () => {
  const asked = fakePictureWorker()
  const { picker, id, isNow } = await start()
  ;(await nextPut(1)).answer(501)
  await isNow('error')
  void picker.retryUpload(id)
  const second = await nextPut(2)
  expect(asked.filter(({ step }) => step === 'prepare')).toHaveLength(1)
  expect(second.body).toBe(FakePut.all[0]?.body)
})

it('UP-06: the status bar offers upload, pause and resume, cancel, retry, and done', async () => {
  let isDone = false
  const { picker, add } = openPicker({ onDone: () => (isDone = true) })
  add()
  await press('Upload 1 file')
  const first = await nextPut(1)
  await press('Pause')
  expect(first.isAborted).toBe(true)
  await press('Resume')
  const second = await nextPut(2)
  await press('Cancel')
  expect(second.isAborted).toBe(true)
  expect(picker.getFiles()).toEqual([])

  add()
  await press('Upload 1 file')
  ;(await nextPut(3)).answer(501)
  await press('Retry upload')
  ;(await nextPut(4)).answer(200)
  await press('Done')
  expect(isDone).toBe(true)
})

it('a paused upload stays paused until it is resumed, also after a failure that would be retried', async () => {
  const { picker, id } = await start()
  ;(await nextPut(1)).answer(503)
  await nextPut(2)
  picker.pauseResume(id)
  await new Promise((resolve) => setTimeout(resolve))
  expect(FakePut.all.filter(FakePut.isOpen)).toEqual([])
  picker.pauseResume(id)
  expect((await nextPut(3)).isAborted).toBe(false)
})

it('progress is shown, and 100 % only when the server has answered', async () => {
  const { file } = await start()
  const put = await nextPut(1)
  put.progress(0.5)
  await waitFor(() => expect(file().progress.percentage).toBe(50))
  put.progress(1)
  await waitFor(() => expect(file().progress.percentage).toBeGreaterThan(80))
  expect(file().progress.percentage).toBeLessThan(100)
  put.answer(200)
  await waitFor(() => expect(file().progress.percentage).toBe(100))
})

it('the time left is shown while parts are sent, and a sentence in its place while none is', async () => {
  const told: (string | null)[] = []
  const { target } = await start({ onDelay: (delay) => told.push(delay) })
  const details = () => /\d+ B of .* left/.exec(target.textContent ?? '')
  const put = await nextPut(1)
  expect(details()).toBeNull()
  // The widget measures the rate by this clock, which must not jump.
  jest.useFakeTimers({ doNotFake: ['performance'] })
  put.progress(0.5)
  await jest.advanceTimersByTimeAsync(1000)
  expect(details()).not.toBeNull()
  await jest.advanceTimersByTimeAsync(8000)
  expect(told).toEqual(['The server does not take it at the moment. We keep trying.'])
  expect(details()).toBeNull()
  put.progress(0.9)
  await jest.advanceTimersByTimeAsync(1000)
  expect(told.at(-1)).toBeNull()
  expect(details()).not.toBeNull()
  put.progress(1)
  await jest.advanceTimersByTimeAsync(1000)
  expect(details()).toBeNull()
})

it('a picture that cannot be registered can be tried again', async () => {
  const { sent, isNow } = await start()
  const register = server.answers['PUT /api/media'] as (typeof server.answers)[string]
  server.answers['PUT /api/media'] = () => ({ status: 403, body: { error: 'Not yours.' } })
  ;(await nextPut(1)).answer(200)
  await isNow('error')
  expect(sent).toEqual([])
  server.answers['PUT /api/media'] = register
  await press('Retry upload')
  ;(await nextPut(2)).answer(200)
  await waitFor(() => expect(sent).toHaveLength(1))
})

it('a picture that is removed while it is registered is not sent', async () => {
  const { picker, sent } = await start()
  const register = Promise.withResolvers<{ status: number; body: object }>()
  const asked = Promise.withResolvers<void>()
  server.answers['PUT /api/media'] = () => {
    asked.resolve()
    return register.promise
  }
  ;(await nextPut(1)).answer(200)
  await asked.promise
  picker.cancelAll()
  register.resolve({ status: 200, body: { objectPath: '/api/objects/1' } })
  await new Promise((resolve) => setTimeout(resolve))
  expect(sent).toEqual([])
})
