import { conversationHeader } from '@sumlock/contracts/conversation-header'
import { reportActivity } from '@sumlock/contracts/lock-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { RefusedError } from '@sumlock/deployment/api-client'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { createOutbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import type { Member } from './floods/crowd.ts'

/** A member wrote this message. Times are those of `performance.now()`. */
export interface SteadySend {
  writtenAt: number
  /** The stored message has this id, which is set when the answer has come. */
  id?: string
  storedAt?: number
}

export interface SteadySends {
  /** The messages are keyed by their `clientMessageId`. */
  readonly sends: ReadonlyMap<string, SteadySend>
  /** These answers made an outbox send its message again. */
  readonly refusals: readonly { at: number; answer: string }[]
  /**
   * Returns how many milliseconds the answers to messages written between two moments took, repeated sends included, in
   * ascending order.
   */
  tookMs(from: number, until: number): number[]
  /** Stops writing, and resolves once every outbox is empty. */
  stop(): Promise<void>
}

/**
 * Makes all members write in turn at a fixed rate, whatever the answers are. Their outboxes send like those of the web
 * app.
 */
export function startSteadySends(members: readonly Member[], perSecond: number): SteadySends {
  const sends = new Map<string, SteadySend>()
  const refusals: { at: number; answer: string }[] = []
  const outboxes = members.map(({ client }) => {
    const outbox = createOutbox({
      api: {
        sendMessage: (body, signal) =>
          client
            .ok(sendMessage, { body }, { signal, headers: { [conversationHeader]: body.conversationId } })
            .catch((error: unknown) => {
              const answer = error instanceof RefusedError ? `${error.status} ${error.code}` : String(error)
              refusals.push({ at: performance.now(), answer })
              throw error
            }),
      },
      clock: systemClock,
    })
    outbox.onStored(({ id, clientMessageId }) => {
      const send = sends.get(clientMessageId) as SteadySend
      Object.assign(send, { id, storedAt: performance.now() })
    })
    return outbox
  })

  const startedAt = performance.now()
  const writeDue = () => {
    for (let due = startedAt + (sends.size * 1000) / perSecond; due <= performance.now();) {
      const index = sends.size % members.length
      const content = `no. ${sends.size}`
      const id = outboxes[index]?.add((members[index] as Member).conversationId, {
        messageType: 'text',
        content,
      })
      sends.set(id as string, { writtenAt: due })
      due = startedAt + (sends.size * 1000) / perSecond
    }
  }
  const timer = setInterval(writeDue, 5)
  // An unlock ends after ten minutes without a request from the app.
  const activity = setInterval(() => {
    for (const { client } of members) client.call(reportActivity).catch(() => undefined)
  }, 60_000)

  return {
    sends,
    refusals,
    tookMs: (from, until) =>
      [...sends.values()]
        .filter(({ writtenAt }) => writtenAt >= from && writtenAt < until)
        .map(({ writtenAt, storedAt = Infinity }) => storedAt - writtenAt)
        .sort((one, other) => one - other),
    async stop() {
      clearInterval(timer)
      clearInterval(activity)
      const isEmpty = () => outboxes.every(({ items }) => items.length === 0)
      await waitUntil('every outbox to be empty', isEmpty, { timeoutMs: 60_000, everyMs: 250 })
      for (const outbox of outboxes) outbox.close()
    },
  }
}
