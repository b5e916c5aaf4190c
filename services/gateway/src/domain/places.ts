import type { Targets } from './targets.ts'

/** The right to have one request under way to a replica. */
export interface Place {
  readonly target: string
  /** Gives it to who waits longest. A second call does nothing. */
  leave(this: void): void
}

export interface Places {
  /** A place at the next replica in turn that has one free. Who finds none waits in line; null when none came free `withinMs`. */
  take(withinMs: number): Promise<Place | null>
}

/**
 * At most `perReplica` requests under way to each replica, the rest in line here. Node takes in one new connection in each
 * turn of its loop: sent on at once, what a busy replica has no connection for yet would wait behind everything that comes
 * over old ones, and be overtaken without end.
 */
export function createPlaces(targets: Targets, perReplica: number): Places {
  const taken = new Map<string, number>()
  const line = new Set<(place: Place) => void>()

  const find = (): Place | undefined => {
    // guard: places-per-replica
    const target = targets.inTurn().find((url) => (taken.get(url) ?? 0) < perReplica)
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
    // guard: nobody-passes
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
        const giveUp = setTimeout(() => {
          line.delete(enter)
          resolve(null)
        }, withinMs)
        const enter = (place: Place) => {
          clearTimeout(giveUp)
          resolve(place)
        }
        // Also when one is free: nobody passes those who came before.
        line.add(enter)
        serveLine()
      }),
  }
}
