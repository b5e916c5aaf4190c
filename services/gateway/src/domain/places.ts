import { createSemaphore } from '@sumlock/service-kit/semaphore'
import type { Targets } from './targets.ts'

/** The right to have one request under way to one address of a service. */
export interface Place {
  readonly target: string
  /** Gives it to who waits longest. A second call does nothing. */
  leave(this: void): void
}

export interface Places {
  /** A place at the next address in turn that has one free. Who finds none waits in line; null when none came free `withinMs`. */
  take(withinMs: number): Promise<Place | null>
}

/**
 * At most `placesEach` requests under way to each address, the rest in line here. Node takes in one new connection in each
 * turn of its loop: sent on at once, what a busy replica has no connection for yet would wait behind everything that comes
 * over old ones, and be overtaken without end.
 */
export function createPlaces(targets: Targets, placesEach: number): Places {
  const semaphore = createSemaphore({ permits: placesEach, slots: () => targets.inTurn() })
  return {
    async take(withinMs) {
      const permit = await semaphore.acquire({ timeoutMs: withinMs })
      return permit && { target: permit.slot, leave: permit.release }
    },
  }
}
