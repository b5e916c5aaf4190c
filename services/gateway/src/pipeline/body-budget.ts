import { networkFactors } from '@sumlock/service-kit/client-address'

/**
 * The gateway may hold this many bytes of bodies at once, in all and for one address. An IPv6 /56 may have four times and a
 * /48 16 times as many as an address.
 */
export interface BodyBounds {
  total: number
  perAddress: number
}

/** A claim is the part of the budget that one body holds. */
export interface BodyClaim {
  /** Call this when the whole body has arrived. Only a body that is still arriving is ended to make room for others. */
  arrived(this: void): void
  /** Gives the bytes back. A second call does nothing. */
  release(this: void): void
}

export interface BodyBudget {
  /**
   * Takes the declared bytes of a body before it is read, for the networks of its address (`networksOf`). When a network
   * has too few bytes left, its oldest bodies are ended by their `giveUp`, because many people may share a network. When
   * too few are free in all, the oldest bodies of the network that holds most are ended. If that frees too few, nothing is
   * taken and the reason is returned.
   */
  take(networks: readonly string[], bytes: number, giveUp: () => void): BodyClaim | 'address' | 'bodies'
}

interface Sender {
  bytes: number
  /** These bodies are still arriving, the oldest first. */
  arriving: Set<{ giveUp: () => void }>
}

export function createBodyBudget({ total, perAddress }: BodyBounds): BodyBudget {
  const senders = new Map<string, Sender>()
  let free = total

  /** Ends the oldest body of this sender. Returns false when none is still arriving. */
  const endOldest = (sender: Sender | undefined): boolean => {
    const [oldest] = sender?.arriving ?? []
    oldest?.giveUp()
    return oldest !== undefined
  }

  /** Of the networks with an arriving body, returns the one that holds most. */
  const largestSender = (): Sender | undefined => {
    let most: Sender | undefined
    for (const sender of senders.values())
      if (sender.arriving.size > 0 && sender.bytes > (most?.bytes ?? 0)) most = sender
    return most
  }

  return {
    take(networks, bytes, giveUp) {
      const own = networks.map((network, index) => {
        const sender = senders.get(network) ?? { bytes: 0, arriving: new Set() }
        return { network, sender, most: perAddress * (networkFactors[index] ?? 1) }
      })
      for (const { sender, most } of own)
        while (sender.bytes + bytes > most) if (!endOldest(sender)) return 'address'
      while (free < bytes) if (!endOldest(largestSender())) return 'bodies'
      let isReleased = false
      const release = () => {
        if (isReleased) return
        isReleased = true
        free += bytes
        arrived()
        for (const { network, sender } of own) {
          sender.bytes -= bytes
          if (sender.bytes === 0) senders.delete(network)
        }
      }
      const body = {
        giveUp: () => {
          release()
          giveUp()
        },
      }
      const arrived = () => {
        for (const { sender } of own) sender.arriving.delete(body)
      }
      free -= bytes
      for (const { network, sender } of own) {
        sender.bytes += bytes
        sender.arriving.add(body)
        senders.set(network, sender)
      }
      return { arrived, release }
    },
  }
}
