import { randomInt } from 'node:crypto'
import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { getUser, requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { listConversations, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Seat } from './seats.ts'

/** Sends, reads and phone codes from all seats at a given rate, whatever becomes of those before. */
export function startMixedLoad(seats: readonly Seat[], rate: { perSecond: number }) {
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
  let due = 0
  let lastAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    due += ((now - lastAt) / 1000) * rate.perSecond
    lastAt = now
    for (; turn < due; turn += 1) {
      const kind = order[turn % order.length] as (typeof order)[number]
      const one = ask(kind, seats[turn % seats.length] as Seat)
      underWay.add(one)
      void one.finally(() => underWay.delete(one))
    }
  }, 5)
  return {
    rate,
    /** Failures are told with what was going on. */
    during: (now: string) => void (phase = now),
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      return { requests: turn, sent, phones, failures }
    },
  }
}

/** Share of the processors' time that nobody used, neither here nor on the host, while something went on. */
async function idleShare(during: () => Promise<unknown>): Promise<number> {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const [idleBefore, startedAt] = [idleMs(), performance.now()]
  await during()
  return (idleMs() - idleBefore) / (performance.now() - startedAt) / cpus().length
}

/**
 * Raises a load to the wanted rate, or to what leaves this machine half idle, if that is less: a process that starts
 * needs a processor for itself, and a machine that has none left would be what is tested. Says so; returns the rate.
 */
export async function raiseToAffordable(
  load: ReturnType<typeof startMixedLoad>,
  wanted: number,
): Promise<number> {
  load.rate.perSecond = 0
  const atRest = await idleShare(() => wait(3000))
  const tried = 15
  load.rate.perSecond = tried
  await wait(2000)
  const atWork = await idleShare(() => wait(6000))
  const costOfOne = Math.max(0.0001, (atRest - atWork) / tried)
  const affordable = Math.max(tried, Math.floor((atRest - 0.5) / costOfOne))
  load.rate.perSecond = Math.min(wanted, affordable)
  const percent = (share: number) => `${Math.round(100 * share)} %`
  process.stderr.write(
    `  this machine is idle ${percent(atRest)} at rest, ${percent(atWork)} at ${tried} requests/s: going on with ${load.rate.perSecond} of ${wanted}\n`,
  )
  return load.rate.perSecond
}
