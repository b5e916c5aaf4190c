/** Bytes of bodies that the gateway may hold at once: in all, and of one address. */
export interface BodyBounds {
  total: number
  perAddress: number
}

/** A body that holds a part of the budget. */
export interface BodyClaim {
  /** The whole body has arrived: it is no longer ended for another one. */
  arrived(this: void): void
  /** Gives the bytes back. A second call does nothing. */
  release(this: void): void
}

export interface BodyBudget {
  /**
   * Takes the declared bytes of a body before it is read. When too few are free in all, the bodies that wait longest at the
   * address that holds most are ended (`giveUp`). Returns why nothing was taken otherwise.
   */
  take(address: string, bytes: number, giveUp: () => void): BodyClaim | 'address' | 'bodies'
}

interface Sender {
  bytes: number
  /** Bodies that are still arriving, the oldest first. */
  arriving: Set<{ giveUp: () => void }>
}

export function createBodyBudget({ total, perAddress }: BodyBounds): BodyBudget {
  const senders = new Map<string, Sender>()
  let free = total

  /** Ends the oldest body of the address that holds most; false when none is still arriving. */
  const endOne = (): boolean => {
    let most: Sender | undefined
    for (const sender of senders.values())
      if (sender.arriving.size > 0 && sender.bytes > (most?.bytes ?? 0)) most = sender
    const [oldest] = most?.arriving ?? []
    oldest?.giveUp()
    return oldest !== undefined
  }

  return {
    take(address, bytes, giveUp) {
      const sender = senders.get(address) ?? { bytes: 0, arriving: new Set() }
      if (sender.bytes + bytes > perAddress) return 'address'
      while (free < bytes) if (!endOne()) return 'bodies'
      free -= bytes
      sender.bytes += bytes
      senders.set(address, sender)
      let isReleased = false
      const release = () => {
        if (isReleased) return
        isReleased = true
        free += bytes
        sender.bytes -= bytes
        sender.arriving.delete(body)
        if (sender.bytes === 0) senders.delete(address)
      }
      const body = {
        giveUp: () => {
          release()
          giveUp()
        },
      }
      sender.arriving.add(body)
      return { arrived: () => void sender.arriving.delete(body), release }
    },
  }
}
