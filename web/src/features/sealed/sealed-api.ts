import type { PublicKey } from '@sumlock/contracts/sealed'
import { request } from '../../api/request.ts'
import type { ApiError, ApiRequest } from '../../api/request.ts'
import type { FetchKeys } from './known-conversations.ts'
import type { KnownKeyBoxes } from './known-keys.ts'

/** A refusal rejects in the shape of a failed send, and without a status when there was no answer. */
function toError({ status, code, sentence, message }: ApiError): Error {
  return Object.assign(new Error(sentence ?? message), status === 0 ? {} : { status, code })
}

async function call<T>(input: ApiRequest): Promise<T> {
  const answer = await request({ timeoutMs: 5000, ...input })
  if ('error' in answer) throw toError(answer.error)
  return answer.data as T
}

export const fetchKeys: FetchKeys = async (conversationId, timeoutMs) =>
  (await call<{ keys: PublicKey[] }>({ url: `/api/conversations/${conversationId}/keys`, timeoutMs })).keys

export const knownKeyBoxes: KnownKeyBoxes = {
  read: (name) => call({ url: `/api/known-keys/${name}` }),
  async write(name, body) {
    const answer = await request({ url: `/api/known-keys/${name}`, method: 'PUT', body, timeoutMs: 5000 })
    if (!('error' in answer)) return true
    if (answer.error.code === 'known_key_conflict') return false
    throw toError(answer.error)
  },
}
