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
   * Takes the declared bytes of a body before it is read. When its address has too few left, those of its bodies that wait
   * longest are ended (`giveUp`), because many people may stand behind it; when too few are free in all, those of the address
   * that holds most. Returns why nothing was taken otherwise.
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

  /** Ends the oldest body of this sender; false when none is still arriving. */
  const endOldest = (sender: Sender | undefined): boolean => {
    const [oldest] = sender?.arriving ?? []
    oldest?.giveUp()
    return oldest !== undefined
  }

  const largestSender = (): Sender | undefined => {
    let most: Sender | undefined
    for (const sender of senders.values())
      if (sender.arriving.size > 0 && sender.bytes > (most?.bytes ?? 0)) most = sender
    return most
  }

  return {
    take(address, bytes, giveUp) {
      const sender = senders.get(address) ?? { bytes: 0, arriving: new Set() }
      while (sender.bytes + bytes > perAddress) if (!endOldest(sender)) return 'address'
      while (free < bytes) if (!endOldest(largestSender())) return 'bodies'
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
