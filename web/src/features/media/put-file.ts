import type { Client } from '../../api/client.ts'

/**
 * Thrown if a transfer failed. `status` is the HTTP status, or 0 if no answer came; the message is the server's
 * sentence if it sent one.
 */
export class TransferError extends Error {
  override readonly name = 'TransferError'
  readonly status: number
  constructor(status: number, sentence?: string) {
    super(sentence ?? 'The connection was lost. Please try again.')
    this.status = status
  }
}

/** A try that sends nothing and gets no answer for this time has failed. */
const silenceMs = 30_000

const retried = [0, 408, 409, 418, 423, 429]

/** Returns whether the same transfer may succeed later. */
export const isWorthRetrying = ({ status }: TransferError): boolean =>
  retried.includes(status) || (status >= 500 && status !== 501 && status !== 505)

export interface PutOptions {
  client: Pick<Client, 'reportSignedOut'>
  signal: AbortSignal
  /** Receives the share of the file that was sent, from 0 to 1. */
  onProgress: (share: number) => void
}

/**
 * Sends a file to the address of an upload by `XMLHttpRequest`, because `fetch` does not report how much of a body was
 * sent.
 */
export function putFile(url: string, file: Blob, { client, signal, onProgress }: PutOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    let silence: ReturnType<typeof setTimeout> | undefined
    const end = (reason: Error) => {
      call.abort()
      reject(reason)
    }
    const abort = () => end(signal.reason as Error)
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(() => end(new TransferError(0)), silenceMs)
    }
    call.open('PUT', url)
    call.responseType = 'json'
    call.upload.onprogress = ({ loaded }) => {
      listen()
      onProgress(loaded / file.size)
    }
    call.onload = () => {
      if (call.status < 300) return resolve()
      if (call.status === 401) client.reportSignedOut()
      reject(new TransferError(call.status, (call.response as { error?: string } | null)?.error))
    }
    call.onerror = () => reject(new TransferError(0))
    call.onloadend = () => {
      clearTimeout(silence)
      signal.removeEventListener('abort', abort)
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    listen()
    call.send(file)
  })
}
