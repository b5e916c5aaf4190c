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
  const taken = new Map<string, number>()
  const line = new Set<(place: Place) => void>()

  const find = (): Place | undefined => {
    const target = targets.inTurn().find((url) => (taken.get(url) ?? 0) < placesEach)
    if (target === undefined) return undefined
    taken.set(target, (taken.get(target) ?? 0) + 1)
    let left = false
    const leave = () => {
      if (left) return
      left = true
      taken.set(target, (taken.get(target) as number) - 1)
      serveLine()
    }
    return { target, leave }
  }
  const serveLine = () => {
    for (const enter of line) {
      const place = find()
      if (!place) return
      line.delete(enter)
      enter(place)
    }
  }

  return {
    take: (withinMs) =>
      new Promise((resolve) => {
        // After a look at all sockets: a process that had no processor for so long may have places to give by now.
        const timer = setTimeout(() => setImmediate(giveUp), withinMs)
        const giveUp = () => {
          if (line.delete(enter)) resolve(null)
        }
        const enter = (place: Place) => {
          clearTimeout(timer)
          resolve(place)
        }
        // Also when one is free: nobody passes those who came before.
        line.add(enter)
        serveLine()
      }),
  }
}
