import type { ApiRequest } from '../../api/client.ts'
import type { Media } from './media.ts'
import { TransferError, putFile } from './put-file.ts'
import type { PutOptions } from './put-file.ts'
import { retrying } from './retrying.ts'

type UploadMedia = Pick<Media, 'client' | 'busy' | 'withConnection' | 'loss'>

interface UploadOptions extends Omit<PutOptions, 'client'> {
  conversationId: string
  media: UploadMedia
}

/** Stores and registers a file, and resolves to its path. */
export async function uploadFile(file: Blob, options: UploadOptions): Promise<string> {
  return registerFile(options.media, await storeFile(file, options), options.signal)
}

/**
 * Stores a file under a new address and resolves to that address. A step that failed for a temporary reason is repeated
 * after 0, 1, 3 and then 5 seconds, up to ten times, and once a lost connection is back. Rejects with a `TransferError`
 * or the signal's reason.
 */
export async function storeFile(file: Blob, options: UploadOptions): Promise<string> {
  const { conversationId, signal, media } = options
  const begin = async () => {
    const body = { size: file.size, type: 'application/octet-stream', conversationId }
    const upload = await call<{ uploadURL: string }>(
      media,
      { url: '/api/objects/upload', method: 'POST', body },
      signal,
    )
    // The address may contain another name of this server, to which the page's content security policy forbids
    // connections.
    return new URL(upload.uploadURL).pathname
  }
  const retry = { loss: media.loss, signal }
  const url = await retrying(() => transfer(media, begin), retry)
  await retrying(() => transfer(media, () => putFile(url, file, { ...options, client: media.client })), retry)
  return url
}

/** Makes a stored file readable for both people and resolves to its path. Retries and rejects as `storeFile` does. */
export function registerFile(media: UploadMedia, mediaUrl: string, signal: AbortSignal): Promise<string> {
  const register = { url: '/api/media', method: 'PUT', body: { mediaUrl } } as const
  const step = async () => (await call<{ objectPath: string }>(media, register, signal)).objectPath
  return retrying(() => transfer(media, step), { loss: media.loss, signal })
}

/** Runs a step of a transfer. The person counts as active until it ends, even without touching anything. */
const transfer = <T>({ withConnection, busy }: UploadMedia, step: () => Promise<T>) =>
  withConnection(step).finally(busy.begin())

async function call<T>({ client }: UploadMedia, input: ApiRequest, signal: AbortSignal): Promise<T> {
  const answer = await client.request(input, signal)
  signal.throwIfAborted()
  if ('error' in answer) throw new TransferError(answer.error.status, answer.error.sentence)
  return answer.data as T
}
