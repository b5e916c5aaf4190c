import { request } from '../../api/request.ts'
import type { ApiRequest } from '../../api/request.ts'
import { whileBusy } from '../lock/busy.ts'
import { withConnection } from './connections.ts'
import { TransferError, putFile } from './put-file.ts'
import type { PutOptions } from './put-file.ts'
import { retrying } from './retrying.ts'

interface UploadOptions extends PutOptions {
  conversationId: string
}

/** Stores and registers a file, and resolves with its path. */
export async function uploadFile(file: Blob, options: UploadOptions): Promise<string> {
  return registerFile(await storeFile(file, options), options.signal)
}

/**
 * Stores a file under an address of its own and resolves with that address. A step that failed for a passing reason is
 * repeated after 0, 1, 3 and then 5 seconds, and once the device is online again, up to ten times. Rejects with a
 * `TransferError` or the signal's reason.
 */
export async function storeFile(file: Blob, options: UploadOptions): Promise<string> {
  const { conversationId, signal } = options
  const begin = async () => {
    const body = { size: file.size, type: 'application/octet-stream', conversationId }
    const upload = await call<{ uploadURL: string }>(
      { url: '/api/objects/upload', method: 'POST', body },
      signal,
    )
    // Of another name of this server, which the policy of the page does not allow.
    return new URL(upload.uploadURL).pathname
  }
  const url = await retrying(() => transfer(begin), signal)
  await retrying(() => transfer(() => putFile(url, file, options)), signal)
  return url
}

/** Makes a stored file readable for both people and resolves with its path. Retries and rejects as `storeFile` does. */
export function registerFile(mediaUrl: string, signal: AbortSignal): Promise<string> {
  const register = { url: '/api/media', method: 'PUT', body: { mediaUrl } } as const
  const step = async () => (await call<{ objectPath: string }>(register, signal)).objectPath
  return retrying(() => transfer(step), signal)
}

/** While something is transferred, the person is there, though nothing is touched. */
const transfer = <T>(step: () => Promise<T>) => withConnection(step).finally(whileBusy())

async function call<T>(input: ApiRequest, signal: AbortSignal): Promise<T> {
  const answer = await request(input, signal)
  signal.throwIfAborted()
  if ('error' in answer) throw new TransferError(answer.error.status, answer.error.sentence)
  return answer.data as T
}
