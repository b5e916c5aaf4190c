import type { Message } from '@sumlock/contracts/messaging-routes'
import type { HistoryQuery, OutgoingMessage, SyncApi } from '../ports.ts'
import { randomId } from '../random-id.ts'

/** The calls of SyncApi reject with such an error. */
export class CallError extends Error {
  readonly status: number | undefined
  readonly code: string | undefined
  constructor(status?: number, code?: string) {
    super(`call failed: ${status ?? 'no answer'}`)
    this.status = status
    this.code = code
  }
}

/**
 * Keeps messages in memory as the server does: `seq` has no gaps, a clientMessageId has one message, and pages are
 * selected by `seq`.
 */
export class FakeServer {
  readonly stored: Message[] = []
  readonly readTo: number[] = []
  /** Runs before every call. It may throw or wait. */
  before: (call: 'list' | 'send' | 'read') => Promise<void> = () => Promise.resolve()
  /** Runs after a call took effect. When it throws, the response of the call is lost. */
  after: (call: 'list' | 'send' | 'read') => Promise<void> = () => Promise.resolve()

  /** Stores a message from the given sender. */
  store(senderId: string, outgoing: Partial<OutgoingMessage> = {}): Message {
    const clientMessageId = outgoing.clientMessageId ?? randomId()
    const known = this.stored.find((message) => message.clientMessageId === clientMessageId)
    if (known) return known
    const message: Message = {
      id: randomId(),
      conversationId: outgoing.conversationId ?? 'c',
      senderId,
      seq: this.stored.length + 1,
      content: outgoing.content ?? '',
      messageType: 'text',
      mediaUrl: null,
      isRead: false,
      createdAt: '2026-11-20T00:00:00.000Z',
      clientMessageId,
    }
    this.stored.push(message)
    return message
  }

  page({ after, before, limit }: HistoryQuery): Message[] {
    if (after !== undefined) return this.stored.filter(({ seq }) => seq > after).slice(0, limit)
    return this.stored.filter(({ seq }) => seq < (before ?? Infinity)).slice(-limit)
  }

  apiOf(userId: string): SyncApi {
    const call = async <T>(name: 'list' | 'send' | 'read', effect: () => T): Promise<T> => {
      await this.before(name)
      const answer = effect()
      await this.after(name)
      return answer
    }
    return {
      listMessages: (_conversationId, query) => call('list', () => this.page(query)),
      sendMessage: (outgoing) => call('send', () => this.store(userId, outgoing)),
      markRead: (_conversationId, seq) => call('read', () => this.readTo.push(seq)),
    }
  }
}
