import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { getUser, requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { listConversations, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { freshPhone } from './fresh-phone.ts'
import type { Seat } from './seats.ts'

/**
 * Makes sends, reads and requests for phone codes from all seats at a fixed rate, without waiting for earlier answers.
 */
export function startMixedLoad(seats: readonly Seat[], rate: { perSecond: number }) {
  let phase = 'before'
  const sent: string[] = []
  const phones: string[] = []
  const failures: string[] = []
  const inFlight = new Set<Promise<void>>()
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
      const phone = freshPhone()
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
  let due = 0
  let lastAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    due += ((now - lastAt) / 1000) * rate.perSecond
    lastAt = now
    for (; turn < due; turn += 1) {
      const kind = order[turn % order.length] as keyof typeof kinds
      const one = ask(kind, seats[turn % seats.length] as Seat)
      inFlight.add(one)
      void one.finally(() => inFlight.delete(one))
    }
  }, 5)
  return {
    rate,
    /** Names the present action of the test; a failure is reported with the action during which it happened. */
    during: (now: string) => void (phase = now),
    async stop() {
      clearInterval(timer)
      await Promise.all(inFlight)
      return { requests: turn, sent, phones, failures }
    },
  }
}

/** Measures the share of all processors' time that was idle within `ms`. */
async function idleShare(ms: number): Promise<number> {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const [idleBefore, startedAt] = [idleMs(), performance.now()]
  await wait(ms)
  return (idleMs() - idleBefore) / (performance.now() - startedAt) / cpus().length
}

/** On a machine with two processors, starting a process takes this share of their time. */
const neededIdle = 0.3

/** Raises a load step by step to the wanted rate, or to the last step that leaves enough time to start a process. */
export async function raiseToAffordable(
  { rate }: ReturnType<typeof startMixedLoad>,
  { step, wanted }: { step: number; wanted: number },
): Promise<void> {
  let share = 1
  for (rate.perSecond = 0; rate.perSecond < wanted && share >= neededIdle;) {
    rate.perSecond += step
    share = await idleShare(5000)
  }
  if (share < neededIdle) rate.perSecond = Math.max(step, rate.perSecond - step)
  const idle = `${Math.round(100 * share)} % idle at the last step`
  process.stderr.write(`  ${rate.perSecond} of ${wanted} requests/s; ${idle}\n`)
}
