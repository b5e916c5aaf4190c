import { fakeApi } from './fake-api.ts'

/** A PUT of a file that waits for the test to answer it. */
export class FakePut {
  static all: FakePut[] = []
  /** Answers each request at once, if it is set. */
  static answerWith: ((number: number) => number) | undefined
  static isOpen = ({ isDone }: FakePut) => !isDone
  isDone = false
  isAborted = false
  body: Blob | undefined
  status = 0
  response: unknown = null
  upload: { onprogress?: (event: { loaded: number }) => void } = {}
  onload = () => {}
  onerror = () => {}
  onloadend = () => {}
  open = () => {}
  send(body: Blob) {
    this.body = body
    FakePut.all.push(this)
    const { length } = FakePut.all
    if (FakePut.answerWith) this.answer(FakePut.answerWith(length))
  }
  /** Status 0 means that the connection was lost. */
  answer(status: number, error?: string) {
    this.status = status
    this.response = error === undefined ? null : { error }
    this.isDone = true
    if (status === 0) this.onerror()
    else this.onload()
    this.onloadend()
  }
  progress = (share: number) => this.upload.onprogress?.({ loaded: share * (this.body?.size ?? 0) })
  abort() {
    this.isAborted = true
    this.isDone = true
    this.onloadend()
  }
}

/** The routes of uploads, and XMLHttpRequests that the test answers. */
export function fakeUploads() {
  const real = globalThis.XMLHttpRequest
  Object.assign(globalThis, { XMLHttpRequest: FakePut })
  FakePut.all = []
  FakePut.answerWith = undefined
  let count = 0
  const api = fakeApi({
    'POST /api/objects/upload': () => {
      count += 1
      return { status: 200, body: { uploadURL: `https://store.test/api/objects/${count}` } }
    },
    'PUT /api/media': (body) => ({
      status: 200,
      body: { objectPath: (body as { mediaUrl: string }).mediaUrl },
    }),
  })
  return {
    ...api,
    restore: () => {
      Object.assign(globalThis, { XMLHttpRequest: real })
      api.restore()
    },
  }
}
