import { conversationHeader } from '@sumlock/contracts/conversation-header'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { SendAct, SyncApi } from '@sumlock/sync/ports'
import type { ApiError, Client } from '../../api/client.ts'

/** Reports a refused call in the form that the sync engine expects. */
class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number | undefined
  readonly code: string
  readonly resetsAt: string | undefined
  readonly retryAfterMs: number | undefined

  constructor({ status, code, sentence, resetsAt, retryAfterSeconds }: ApiError) {
    super(sentence ?? 'Please try again.')
    this.status = status === 0 ? undefined : status
    this.code = code
    this.resetsAt = resetsAt
    this.retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000
  }
}

export interface ActingApi extends SyncApi {
  sendAct: SendAct
}

/** Creates the calls that the sync engine makes. */
export function createSyncApi({ request }: Client): ActingApi {
  const call = async <T>(
    signal: AbortSignal,
    url: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> => {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await request({ url, method, body, headers }, signal)
    if ('error' in answer) throw new CallError(answer.error)
    return answer.data as T
  }
  return {
    listMessages: (id, query, signal) => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      return call<Message[]>(signal, `/api/conversations/${id}/messages?${search}`)
    },
    sendMessage: (message, signal) =>
      call<Message>(
        signal,
        '/api/messages',
        { ...message, media: undefined, re: undefined },
        { [conversationHeader]: message.conversationId },
      ),
    sendAct: ({ conversationId: id, ...act }, signal) =>
      call<Message>(
        signal,
        `/api/conversations/${id}/acts`,
        // A caption may be taken away, and the server takes no empty text.
        {
          ...act,
          ...('content' in act && {
            content: act.content || undefined,
            media: undefined,
            isPlain: undefined,
            re: undefined,
            vanishMs: undefined,
          }),
        },
        { [conversationHeader]: id },
      ),
    markRead: (id, seq, signal) => call(signal, `/api/conversations/${id}/read`, { seq }),
  }
}
