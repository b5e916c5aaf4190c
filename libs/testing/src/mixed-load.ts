import { randomInt } from 'node:crypto'
import { getUser, requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { listConversations, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Seat } from './seats.ts'

/** Sends, reads and phone codes from all seats at a steady rate (per second), whatever becomes of those before. */
export function startMixedLoad(seats: readonly Seat[], perSecond: number) {
  let phase = 'before'
  const sent: string[] = []
  const phones: string[] = []
  const failures: string[] = []
  const underWay = new Set<Promise<void>>()
  let count = 0

  const kinds = {
    send: ({ person, conversationId }: Seat) => {
      const content = `no. ${(count += 1)}`
      sent.push(content)
      return person.client.call(sendMessage, { body: { conversationId, content } })
    },
    history: ({ person, conversationId }: Seat) =>
      person.client.call(listMessages, { params: { id: conversationId }, query: {} }),
    list: ({ person }: Seat) => person.client.call(listConversations),
    user: ({ person }: Seat) => person.client.call(getUser),
    code: ({ person }: Seat) => {
      const phone = `+1555${String(randomInt(10_000_000)).padStart(7, '0')}`
      phones.push(phone)
      return person.client.call(requestPhoneCode, { body: { phone } })
    },
  }
  const order = [
    'send',
    'history',
    'user',
    'send',
    'list',
    'user',
    'send',
    'history',
    'send',
    'code',
  ] as const

  const ask = async (kind: keyof typeof kinds, seat: Seat) => {
    const startedAt = performance.now()
    const outcome = await kinds[kind](seat).then(
      ({ status, body }) => (status < 300 ? undefined : `${status} ${JSON.stringify(body)}`),
      (error: unknown) => String(error),
    )
    const tookMs = Math.round(performance.now() - startedAt)
    if (outcome) failures.push(`${phase}, ${kind}, after ${tookMs} ms: ${outcome}`)
  }
  let turn = 0
  const startedAt = performance.now()
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) / 1000) * perSecond; turn < due; turn += 1) {
      const kind = order[turn % order.length] as (typeof order)[number]
      const one = ask(kind, seats[turn % seats.length] as Seat)
      underWay.add(one)
      void one.finally(() => underWay.delete(one))
    }
  }, 5)
  return {
    /** Failures are told with what was going on. */
    during: (now: string) => void (phase = now),
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      return { requests: turn, sent, phones, failures }
    },
  }
}
