import type { Envelope, EventContract } from '@sumlock/contracts/event'

export interface Handler {
  event: EventContract
  handle: (envelope: never) => Promise<void>
}

/** Pairs an event with its handler. Events are delivered at least once, so the handler must be idempotent. */
export const on = <E extends EventContract>(
  event: E,
  handle: (envelope: Envelope<E>) => Promise<void>,
): Handler => ({ event, handle })
