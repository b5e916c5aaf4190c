import type { Stack } from '@sumlock/dev/product/services'
import { Client, RefusedError } from '@sumlock/deployment/api-client'
import { adminPerson, befriend, makePremium, unlock, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'

export interface Seat {
  person: Person
  conversationId: string
}
export type Pair = readonly [Seat, Seat]

const atOnce = 4
const attempts = 5

/** Registers pairs who may write without limit: one side of each has premium. */
export async function seatPairs(stack: Stack, count: number): Promise<Pair[]> {
  const admin = await adminPerson(stack)
  return inBatches(Array.from({ length: count }), async () => {
    const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    await makePremium(admin, ann)
    const { id: conversationId } = await befriend(ann, bob)
    return [
      { person: ann, conversationId },
      { person: bob, conversationId },
    ] as const
  })
}

/** The same people at another gateway over the same data, unlocked anew and with a CSRF token at hand. */
export function reseat(stack: Stack, pairs: readonly Pair[]): Promise<Pair[]> {
  return inBatches(pairs, async ([ann, bob]) => [await moveTo(stack, ann), await moveTo(stack, bob)] as const)
}

async function moveTo(stack: Stack, { person, conversationId }: Seat): Promise<Seat> {
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  for (const [name, value] of person.client.cookies) client.cookies.set(name, value)
  const moved = { ...person, client }
  await unlock(moved)
  client.keptToken = await client.csrfToken()
  return { person: moved, conversationId }
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  while (done.length < items.length) {
    const batch = items.slice(done.length, done.length + atOnce)
    done.push(...(await Promise.all(batch.map((item) => patiently(() => work(item))))))
  }
  return done
}

/** Preparing is not measured: on a busy machine a 503 or 429 here is no result, and is tried again. */
async function patiently<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof RefusedError && [429, 503].includes(error.status)
      if (!isBusy || attempt === attempts) throw error
    }
  }
}
