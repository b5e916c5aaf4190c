import { readBlobs } from './read-blobs.ts'
import type { WorkerAnswer, WorkerRequest } from '../src/features/media/prepare/picture-worker.ts'

type Answer = (request: WorkerRequest) => WorkerAnswer | Promise<WorkerAnswer>

const prepared = {
  ...{ blob: new Blob(['prepared'], { type: 'image/jpeg' }), mime: 'image/jpeg' as const },
  ...{ width: 4, height: 3, isAnimated: false, thumb: new Blob(['thumb']), hash: new Uint8Array(4) },
}

/** The default answer of the worker of pictures. */
export const answerOfWorker = ({ step }: WorkerRequest): WorkerAnswer =>
  step === 'prepare' ? prepared : new Blob(['preview'])

/** Replaces the worker of pictures, which jsdom lacks. Returns the requests to it. */
export function fakePictureWorker(answer: Answer = answerOfWorker): WorkerRequest[] {
  readBlobs()
  const asked: WorkerRequest[] = []
  class FakeWorker {
    onmessage: (event: { data: WorkerAnswer }) => void = () => undefined
    async postMessage(request: WorkerRequest) {
      asked.push(request)
      this.onmessage({ data: await answer(request) })
    }
    terminate = () => undefined
  }
  Object.assign(globalThis, { Worker: FakeWorker })
  let count = 0
  URL.createObjectURL = () => `blob:${(count += 1)}`
  URL.revokeObjectURL = () => undefined
  return asked
}
