import type { PublicKey } from '@sumlock/contracts/sealed'
import type { ApiError, ApiRequest, Client } from '../../api/client.ts'
import type { FetchKeys } from './known-conversations.ts'
import type { KnownKeyBoxes } from './known-keys.ts'

/** Turns a failed call into an error like that of a failed send. The error has a status only if the server answered. */
function toError({ status, code, sentence, message }: ApiError): Error {
  return Object.assign(new Error(sentence ?? message), status === 0 ? {} : { status, code })
}

/** Creates the calls for the keys of partners, and for the records of accepted keys. */
export function createSealedApi({ request }: Client): { fetchKeys: FetchKeys; boxes: KnownKeyBoxes } {
  const call = async <T>(input: ApiRequest): Promise<T> => {
    const answer = await request({ timeoutMs: 5000, ...input })
    if ('error' in answer) throw toError(answer.error)
    return answer.data as T
  }
  return {
    fetchKeys: async (conversationId, timeoutMs) =>
      (await call<{ keys: PublicKey[] }>({ url: `/api/conversations/${conversationId}/keys`, timeoutMs }))
        .keys,
    boxes: {
      read: (name) => call({ url: `/api/known-keys/${name}` }),
      async write(name, body) {
        const answer = await request({
          ...{ url: `/api/known-keys/${name}`, method: 'PUT', body, timeoutMs: 5000 },
        })
        if (!('error' in answer)) return true
        if (answer.error.code === 'known_key_conflict') return false
        throw toError(answer.error)
      },
    },
  }
}
