import type { Message } from '@sumlock/contracts/messaging-routes'
import type { HistoryQuery, OutgoingAct, OutgoingMessage, SendAct, SyncApi } from '../ports.ts'
import type { ReactionAct } from '../outbox-acts.ts'
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

type Call = 'list' | 'send' | 'act' | 'read'

/**
 * Keeps messages in memory as the server does: `seq` has no gaps, a clientMessageId has one message, pages are selected
 * by `seq`, and each change of a message raises the version.
 */
export class FakeServer {
  stored: readonly Message[] = []
  version = 0
  readonly readTo: number[] = []
  /** Each person has read up to here. */
  readonly marks = new Map<string, number>()
  nowMs = () => Date.parse('2026-11-20T00:00:00.000Z')
  /** Runs before every call. It may throw or wait. */
  before: (call: Call) => Promise<void> = () => Promise.resolve()
  /** Runs after a call took effect. When it throws, the response of the call is lost. */
  after: (call: Call) => Promise<void> = () => Promise.resolve()

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
      createdAt: new Date(this.nowMs()).toISOString(),
      clientMessageId,
      ...(outgoing.vanishMs && { vanishMs: outgoing.vanishMs }),
    }
    this.stored = [...this.stored, message]
    return message
  }

  /** Changes a message. Throws when the server would refuse the act. */
  act(userId: string, act: OutgoingAct): Message {
    if (act.act === 'reaction') return this.#react(userId, act)
    const { target, clientMessageId } = act
    const known = this.stored.find((one) => one.clientMessageId === target.id && one.senderId === userId)
    if (act.act === 'unsend') {
      const message = known ?? this.store(userId, { clientMessageId: target.id })
      if (this.#isOver(message, 'recipient')) throw new CallError(409, 'message_unsent')
      const { edit: _edit, reactions: _reactions, vanishMs: _time, vanishAt: _end, ...rest } = message
      return message.isUnsent ? message : this.#change({ ...rest, content: '', isUnsent: true })
    }
    if (!known) throw new CallError(404, 'message_not_found')
    if (known.isUnsent || this.#isOver(known, userId)) throw new CallError(409, 'message_unsent')
    if (known.edit?.id === clientMessageId) return known
    if ((known.edit?.id ?? null) !== act.replaces) throw new CallError(409, 'act_replaced')
    const edit = { id: clientMessageId, at: '2026-11-20T00:00:00.000Z' }
    return this.#change({ ...known, content: act.content, edit })
  }

  #react(by: string, { target, clientMessageId: id, replaces, content }: ReactionAct): Message {
    const known = this.stored.find((one) => one.clientMessageId === target.id && one.senderId === target.by)
    if (!known) throw new CallError(404, 'message_not_found')
    const { reactions = [] } = known
    const present = reactions.find((one) => one.by === by)
    if (present?.id === id) return known
    if (known.isUnsent || this.#isOver(known, by)) throw new CallError(409, 'message_unsent')
    if ((present?.id ?? null) !== replaces) throw new CallError(409, 'act_replaced')
    if (!present && content === undefined) throw new CallError(400, 'invalid_request')
    const others = reactions.filter((one) => one.by !== by)
    return this.#change({ ...known, reactions: [...others, { by, id, content: content ?? '' }] })
  }

  /** Marks messages as read, which sets the end of those that vanish. */
  read(userId: string, seq: number): void {
    this.readTo.push(seq)
    this.marks.set(userId, Math.max(seq, this.marks.get(userId) ?? 0))
    this.stored = this.stored.map((message) => {
      const { vanishMs, vanishAt, senderId } = message
      if (!vanishMs || vanishAt || senderId === userId || message.seq > seq) return message
      return { ...message, isRead: true, vanishAt: new Date(this.nowMs() + vanishMs).toISOString() }
    })
  }

  #isOver({ senderId, createdAt, vanishMs, vanishAt = '9999' }: Message, userId: string): boolean {
    const endMs = senderId === userId ? Date.parse(createdAt) + (vanishMs ?? 0) : Date.parse(vanishAt)
    return vanishMs !== undefined && endMs <= this.nowMs()
  }

  /** Returns a stored message as this person is shown it. */
  shownTo(userId: string, message: Message): Message {
    const { vanishAt, ...shown } = message
    if (!message.vanishMs) return message
    if (this.#isOver(message, userId)) {
      const { edit: _edit, reactions: _reactions, vanishMs: _time, ...left } = shown
      return { ...left, content: '', isVanished: true }
    }
    return message.senderId === userId || vanishAt === undefined ? shown : message
  }

  #change(message: Message): Message {
    this.version += 1
    const changed = { ...message, version: this.version }
    this.stored = this.stored.with(changed.seq - 1, changed)
    return changed
  }

  page({ after, before, changedSince, limit }: HistoryQuery): Message[] {
    if (changedSince !== undefined)
      return this.stored
        .filter(({ version = 0 }) => version > changedSince)
        .sort((a, b) => (a.version ?? 0) - (b.version ?? 0))
        .slice(0, limit)
    if (after !== undefined) return this.stored.filter(({ seq }) => seq > after).slice(0, limit)
    return this.stored.filter(({ seq }) => seq < (before ?? Infinity)).slice(-limit)
  }

  apiOf(userId: string): SyncApi & { sendAct: SendAct } {
    const call = async <T>(name: Call, effect: () => T): Promise<T> => {
      await this.before(name)
      const answer = effect()
      await this.after(name)
      return answer
    }
    const shown = (message: Message) => this.shownTo(userId, message)
    return {
      listMessages: (_conversationId, query) => call('list', () => this.page(query).map(shown)),
      sendMessage: (outgoing) => call('send', () => shown(this.store(userId, outgoing))),
      sendAct: (act) => call('act', () => shown(this.act(userId, act))),
      markRead: (_conversationId, seq) => call('read', () => this.read(userId, seq)),
    }
  }
}
