import type { Envelope, EventContract } from '@sumlock/contracts/event'

export interface Handler {
  event: EventContract
  handle: (envelope: never) => Promise<void>
}

/** Pairs an event with what this service does about it. The effect must bear being told twice. */
export const on = <E extends EventContract>(
  event: E,
  handle: (envelope: Envelope<E>) => Promise<void>,
): Handler => ({ event, handle })
