import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { getUser, requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { listConversations, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { forcedRate, messagesOnly } from './config.ts'
import { freshPhone } from './fresh-phone.ts'
import type { Seat } from './seats.ts'

/** Sends, reads and phone codes from all seats at a fixed rate, without waiting for earlier answers. */
export function startMixedLoad(seats: readonly Seat[], rate: { perSecond: number }) {
  let phase = 'before'
  const sent: string[] = []
  const phones: string[] = []
  const failures: string[] = []
  const underWay = new Set<Promise<void>>()
  let count = 0
  let slowestMs = 0

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
      const phone = freshPhone()
      phones.push(phone)
      return person.client.call(requestPhoneCode, { body: { phone } })
    },
  }
  const all = ['send', 'history', 'user', 'send', 'list', 'user', 'send', 'history', 'send', 'code'] as const
  const order: readonly (keyof typeof kinds)[] = messagesOnly ? ['send'] : all

  const ask = async (kind: keyof typeof kinds, seat: Seat) => {
    const startedAt = performance.now()
    const outcome = await kinds[kind](seat).then(
      ({ status, body }) => (status < 300 ? undefined : `${status} ${JSON.stringify(body)}`),
      (error: unknown) => String(error),
    )
    const tookMs = Math.round(performance.now() - startedAt)
    slowestMs = Math.max(slowestMs, tookMs)
    if (outcome) failures.push(`${phase}, ${kind}, after ${tookMs} ms: ${outcome}`)
  }
  let turn = 0
  let due = 0
  let lastAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    due += ((now - lastAt) / 1000) * rate.perSecond
    lastAt = now
    for (; turn < due; turn += 1) {
      const kind = order[turn % order.length] as keyof typeof kinds
      const one = ask(kind, seats[turn % seats.length] as Seat)
      underWay.add(one)
      void one.finally(() => underWay.delete(one))
    }
  }, 5)
  return {
    rate,
    /** Failures are reported with the action that failed. */
    during: (now: string) => void (phase = now),
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      return { requests: turn, sent, phones, failures, slowestMs }
    },
  }
}

/** Share of processor time that was idle, here and on the host, during an action. */
async function idleShare(during: () => Promise<unknown>): Promise<number> {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const [idleBefore, startedAt] = [idleMs(), performance.now()]
  await during()
  return (idleMs() - idleBefore) / (performance.now() - startedAt) / cpus().length
}

/** A process that starts needs that much of a machine of two processors. */
const neededIdle = 0.3

/**
 * Raises a load step by step to the wanted rate, or to the last step that leaves room to start a process: a machine
 * that has none left would be what is tested. Says where it stopped and why. `SUMLOCK_TEST_RATE` is taken as it is.
 */
export async function raiseToAffordable(
  load: ReturnType<typeof startMixedLoad>,
  { step, wanted }: { step: number; wanted: number },
): Promise<void> {
  if (forcedRate !== undefined) {
    load.rate.perSecond = forcedRate
    return
  }
  const idle: string[] = []
  for (let tried = step; tried <= wanted; tried += step) {
    load.rate.perSecond = tried
    const share = await idleShare(() => wait(5000))
    idle.push(`${Math.round(100 * share)} % at ${tried}/s`)
    if (share >= neededIdle) continue
    load.rate.perSecond = Math.max(step, tried - step)
    break
  }
  process.stderr.write(
    `  ${load.rate.perSecond} of ${wanted} requests/s; this machine was idle ${idle.join(', ')}\n`,
  )
}
