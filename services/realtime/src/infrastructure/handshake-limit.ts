import { networkFactors, networksOf } from '@sumlock/service-kit/client-address'

export interface HandshakeRefusal {
  /** Tells whether the address itself or an IPv6 network that contains it has made too many handshakes. */
  reason: 'address' | 'network'
  waitMs: number
}

/** Limits the handshakes of an address, or of a person, within a window. */
export interface HandshakeLimit {
  /** Counts a handshake. When the limit is reached, nothing is counted and the refusal is returned. */
  take(key: string): HandshakeRefusal | undefined
  /** Undoes the count of a handshake. */
  giveBack(key: string): void
}

export interface HandshakesPerWindow {
  /**
   * The limit for one address counts only cookies that auth has not confirmed, because many people may share the address.
   */
  unconfirmed: number
  perPerson: number
}

const windowMs = 10_000
export const handshakesPerWindow: HandshakesPerWindow = { unconfirmed: 3000, perPerson: 300 }
export const anyHandshakes: HandshakesPerWindow = { unconfirmed: Infinity, perPerson: Infinity }

/** Counts per process in fixed windows of ten seconds. The IPv6 networks that contain an address have higher limits. */
export function createHandshakeLimit(perWindow: number, nowMs: () => number): HandshakeLimit {
  let counts = new Map<string, number>()
  let windowEndsMs = 0
  return {
    take(key) {
      if (nowMs() >= windowEndsMs) {
        counts = new Map()
        windowEndsMs = nowMs() + windowMs
      }
      const networks = networksOf(key)
      const full = networks.findIndex(
        (network, index) => (counts.get(network) ?? 0) >= perWindow * (networkFactors[index] ?? 1),
      )
      if (full >= 0) return { reason: full === 0 ? 'address' : 'network', waitMs: windowEndsMs - nowMs() }
      for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1)
      return undefined
    },
    giveBack(key) {
      for (const network of networksOf(key)) counts.set(network, Math.max((counts.get(network) ?? 0) - 1, 0))
    },
  }
}
