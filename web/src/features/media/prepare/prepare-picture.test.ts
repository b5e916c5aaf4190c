import { MediaRefusedError } from './media-refused-error.ts'
import type { WorkerAnswer } from './picture-worker.ts'
import { preparePicture } from './prepare-picture.ts'
import type { PreparedPicture } from './prepare-picture.ts'

/** Replaces the browser's worker, which jsdom lacks. The product's worker runs in e2e/picture-preparation.spec.ts. */
class FakeWorker {
  static started: FakeWorker[] = []
  isRunning = true
  onmessage: (event: { data: WorkerAnswer }) => void = () => undefined
  onerror: () => void = () => undefined
  constructor() {
    FakeWorker.started.push(this)
  }
  postMessage = () => undefined
  terminate = () => (this.isRunning = false)
  answer = (data: WorkerAnswer) => this.onmessage({ data })
}

const picture = { width: 3, height: 4 } as PreparedPicture
const file = new Blob(['file'])
const workerNumber = async (number: number) => {
  while (FakeWorker.started.length < number) await Promise.resolve()
  return FakeWorker.started[number - 1] as FakeWorker
}

beforeEach(() => {
  FakeWorker.started = []
  Object.assign(globalThis, { Worker: FakeWorker })
})

it('pictures are prepared one after another, each in a worker that ends with it', async () => {
  const [first, second] = [preparePicture(file), preparePicture(file)]
  const worker = await workerNumber(1)
  await new Promise((resolve) => setTimeout(resolve))
  expect(FakeWorker.started).toHaveLength(1)
  worker.answer(picture)
  await expect(first).resolves.toEqual(picture)
  expect(worker.isRunning).toBe(false)
  const next = await workerNumber(2)
  next.answer(picture)
  await expect(second).resolves.toEqual(picture)
})

it('a refusal has its reason and a sentence for the person, and the next picture is prepared', async () => {
  const refused = preparePicture(file)
  const next = preparePicture(file)
  const worker = await workerNumber(1)
  worker.answer('too_many_pixels')
  const sentence = 'This picture is too large: 200 megapixels at most. Choose a smaller one.'
  await expect(refused).rejects.toThrow(sentence)
  await expect(refused).rejects.toBeInstanceOf(MediaRefusedError)
  await expect(refused).rejects.toMatchObject({ reason: 'too_many_pixels' })
  const second = await workerNumber(2)
  second.answer(picture)
  await expect(next).resolves.toEqual(picture)
})

it('a worker that cannot be loaded leads to a sentence that suggests another try', async () => {
  const prepared = preparePicture(file)
  const worker = await workerNumber(1)
  worker.onerror()
  await expect(prepared).rejects.toMatchObject({ reason: 'not_prepared' })
})

it('an abort ends the worker, and one that came before starts none', async () => {
  const abort = new AbortController()
  const prepared = [1, 2].map(() => preparePicture(file, abort))
  const worker = await workerNumber(1)
  abort.abort(new Error('The person closed the dialog.'))
  for (const promise of prepared) await expect(promise).rejects.toThrow('closed the dialog')
  expect(worker.isRunning).toBe(false)
  expect(FakeWorker.started).toHaveLength(1)
})
