import { setTimeout as wait } from 'node:timers/promises'
import type { Seat } from './seats.ts'
import { eventually } from './wait.ts'

export interface NumberedWriters {
  /** The server has confirmed the messages with these ids to their writers. */
  readonly acknowledged: readonly string[]
  /** All people together have written this many messages so far. */
  readonly written: number
  /** Makes each writer write this number of messages, one every `paceMs`. All seats write, unless some are named. */
  write(perPerson: number, paceMs: number, writers?: readonly Seat[]): Promise<void>
  /** Resolves once this number of messages has been confirmed. */
  reach(count: number): Promise<unknown>
  /** Resolves once every outbox is empty. */
  allSent(): Promise<unknown>
  /** Returns how many messages reached the screens from this source. */
  received(source: 'receivedBySocket' | 'receivedByFetch'): number
}

/** Makes people write `<seat>/<number>`. Each counts from 1, so that the order of their messages can be checked. */
export function createNumberedWriters(seats: readonly Seat[]): NumberedWriters {
  const acknowledged: string[] = []
  for (const { device } of seats) device.outbox.onStored(({ id }) => acknowledged.push(id))
  const numbers = new Map(seats.map((seat) => [seat, 0]))
  return {
    acknowledged,
    get written() {
      return [...numbers.values()].reduce((sum, number) => sum + number, 0)
    },
    async write(perPerson, paceMs, writers = seats) {
      const writing = writers.map(async (seat, index) => {
        // The writers begin at different moments, as people do.
        await wait((index * paceMs) / writers.length)
        for (let count = 0; count < perPerson; count += 1) {
          const number = (numbers.get(seat) ?? 0) + 1
          numbers.set(seat, number)
          seat.view.send({ messageType: 'text', content: `${seats.indexOf(seat)}/${number}` })
          await wait(paceMs)
        }
      })
      await Promise.all(writing)
    },
    reach: (count) =>
      eventually(() => expect(acknowledged.length).toBeGreaterThanOrEqual(count), { timeoutMs: 240_000 }),
    allSent: () =>
      eventually(
        () => expect(seats.map(({ device }) => device.outbox.items.length)).toEqual(seats.map(() => 0)),
        { timeoutMs: 120_000, everyMs: 250 },
      ),
    received: (source) => seats.reduce((count, { view }) => count + view.stats[source], 0),
  }
}
