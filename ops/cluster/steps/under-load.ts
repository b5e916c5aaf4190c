import { setTimeout as wait } from 'node:timers/promises'
import { listMessages } from '@sumlock/contracts/messaging-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { retryUnavailable, unlock } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextState } from '@sumlock/testing/socket'
import { startSteadySends } from '@sumlock/testing/steady-sends'
import { makePairs } from './crowd.ts'
import type { Arrivals, Pair } from './crowd.ts'
import { judgeSends, requireExact } from './send-verdict.ts'
import type { SendVerdict, StoredMessage } from './send-verdict.ts'

const perSecond = 10
const pairCount = 4
/** The load runs for this time before and after the work, so that both have something to compare with. */
const marginMs = 3000
const pageLength = 100

export interface LoadResult {
  verdict: SendVerdict
  /** How often each answer made an outbox send its message again. */
  refusals: ReadonlyMap<string, number>
  medianMs: number
  slowestMs: number
}

/** Does `work` while eight people send ten messages a second. Throws when a message is lost or doubled, or none comes over a socket. */
export async function underLoad(arrivals: Arrivals, work: () => Promise<void>): Promise<LoadResult> {
  const pairs = await makePairs(arrivals, pairCount)
  const people = pairs.flatMap((pair) => pair.people)
  const events: string[] = []
  const sockets = people.map((person) => listen(person, (id) => events.push(id)))
  try {
    await Promise.all(sockets.map((live) => nextState(live, ({ connected }) => connected)))
    const members = pairs.flatMap(({ people, conversationId }) =>
      people.map(({ client }) => ({ client, conversationId })),
    )
    const startedAt = performance.now()
    const load = startSteadySends(members, perSecond)
    await wait(marginMs)
    await work().catch(async (error: unknown) => {
      // The cause is the work's failure, and not that its messages cannot be sent.
      await load.stop().catch(() => undefined)
      throw error
    })
    await wait(marginMs)
    await load.stop()
    await allAnnounced(events, load.sends.size)
    const stored = (await Promise.all(pairs.map(historyOf))).flat()
    const accepted = new Map([...load.sends].map(([key, { id }]) => [key, id]))
    const verdict = judgeSends({ accepted, stored, events })
    requireExact(verdict)
    if (verdict.announced === 0) throw new Error('No message came over a socket.')
    const took = load.tookMs(startedAt, Infinity)
    return {
      verdict,
      refusals: countsOf(load.refusals.map(({ answer }) => answer)),
      medianMs: Math.round(took[Math.floor(took.length / 2)] ?? NaN),
      slowestMs: Math.round(took.at(-1) ?? NaN),
    }
  } finally {
    for (const socket of sockets) socket.close()
  }
}

/** Returns the figures of a load as a step shows them. */
export const figuresOf = ({ verdict, refusals, medianMs, slowestMs }: LoadResult) => ({
  'messages accepted, of those written': `${verdict.written} of ${verdict.written}, 0 lost, 0 doubled`,
  'events on the sockets': `${verdict.announced}, ${verdict.announcedAgain} of them again`,
  'refused sends that were repeated': counted(refusals) || 0,
  'milliseconds of a send, median and slowest': `${medianMs}, ${slowestMs}`,
})

/** Throws when an outbox had to send a message again. */
export function refusedNever({ refusals }: LoadResult): void {
  if (refusals.size > 0) throw new Error(`Sends were refused: ${counted(refusals)}.`)
}

const counted = (refusals: LoadResult['refusals']) =>
  [...refusals].map(([answer, n]) => `${n} × ${answer}`).join(', ')

function listen(person: Person, onMessage: (id: string) => void) {
  const live = connect(person)
  live.subscribe({
    onEvent(event) {
      if (event.type === 'new_message' && event.data.senderId !== person.user.id) onMessage(event.data.id)
    },
  })
  return live
}

/** A socket that moves to another replica misses events, which clients then fetch; so this waits, but not for ever. */
async function allAnnounced(events: readonly string[], count: number): Promise<void> {
  const isComplete = () => new Set(events).size >= count
  await waitUntil('every event', isComplete, { timeoutMs: 10_000, everyMs: 250 }).catch(() => undefined)
}

async function historyOf({ people: [reader], conversationId }: Pair): Promise<StoredMessage[]> {
  await retryUnavailable(() => unlock(reader))
  const all: (StoredMessage & { seq: number })[] = []
  for (;;) {
    const query = { after: all.at(-1)?.seq ?? 0, limit: pageLength }
    const page = await retryUnavailable(() =>
      reader.client.ok(listMessages, { params: { id: conversationId }, query }),
    )
    all.push(...page)
    if (page.length < pageLength) return all
  }
}

const countsOf = (values: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(values, (value) => value)].map(([value, same]) => [value, same.length]))
