import { createListeners } from '@sumlock/sync/listeners'
import { createKeyPrints } from './key-prints.ts'
import type { KnownConversations } from './known-conversations.ts'
import type { KnownKeys } from './known-keys.ts'
import { NotSealedError } from './not-sealed-error.ts'
import { noKeys } from './own-keys.ts'
import type { HeldKeys, OwnKeys } from './own-keys.ts'
import { trustOf } from './trust.ts'
import type { KnownKey, Trust } from './trust.ts'

/** The person's consent to a key of the partner: to the one with this print, which was on the screen. */
export interface Acceptance {
  print: string
  /** Absent: it stays verified only if it is the very key that was. */
  isVerified?: boolean
}

export interface TrustStoreOptions {
  own: HeldKeys
  conversations: KnownConversations
  knownKeys: KnownKeys
}

/** Which key of each partner is accepted: the first one by itself, another one only by the person. */
export function createTrustStore({ own, conversations, knownKeys }: TrustStoreOptions) {
  let present: OwnKeys | undefined
  const known = new Map<string, KnownKey | null>()
  const prints = createKeyPrints()
  const changed = createListeners<[]>()
  const reading = new Map<string, Promise<void>>()
  /** Sends wait for these. */
  const accepting = new Map<string, Promise<void>>()
  /** Immutable, so that a screen renders only what changed. */
  const trusts = new Map<string, Trust>()
  void own.read().then((keys) => {
    present = keys
    changed.emit()
  })

  const newestKey = (id: string) => conversations.get(id)?.keys.at(-1)
  const learnPrint = async (id: string) => {
    const { pub } = newestKey(id) ?? {}
    // Without own keys nothing is sealed, and the browser may have no cryptography.
    if ((await own.read()).keys.length > 0 && pub !== undefined) await prints.learn(pub)
  }
  const partnerOf = (id: string) => {
    const { epoch, pub = '' } = newestKey(id) ?? {}
    const print = prints.get(pub)
    return epoch !== undefined && print !== undefined ? { epoch, print } : undefined
  }
  const trust = (id: string): Trust => {
    const needsPrint = present?.keys.length !== 0 && newestKey(id) !== undefined
    const isReady = present !== undefined && (!needsPrint || partnerOf(id) !== undefined)
    const next: Trust = isReady
      ? trustOf({ own: present ?? noKeys, partner: partnerOf(id), known: known.get(id) })
      : { state: 'unknown' }
    const before = trusts.get(id)
    if (before && JSON.stringify(before) === JSON.stringify(next)) return before
    trusts.set(id, next)
    return next
  }
  /** Reads what was accepted, once; rejects while the server of the records does not answer. */
  const prepareTrust = async (id: string): Promise<void> => {
    const { keys } = await own.read()
    const before = trust(id)
    await learnPrint(id)
    if (keys.length > 0 && !known.has(id)) {
      const running = reading.get(id) ?? knownKeys.read(id).then((key) => void known.set(id, key))
      reading.set(id, running)
      await running.finally(() => reading.delete(id))
    }
    if (trust(id) !== before) changed.emit()
  }
  conversations.onKeys((id) => void learnPrint(id).then(changed.emit))
  const write = async (id: string, decide: (stored: KnownKey | null) => KnownKey): Promise<void> => {
    known.set(id, await knownKeys.write(id, decide))
    changed.emit()
  }
  const acceptNow = async (id: string, acceptance: Acceptance): Promise<void> => {
    await prepareTrust(id)
    const partner = partnerOf(id)
    if (partner) await write(id, accepted(partner, acceptance))
  }
  return {
    forget: (): void => {
      present = undefined
      known.clear()
      trusts.clear()
    },
    trust,
    prepareTrust,
    subscribe: changed.add,
    accept: (id: string, acceptance: Acceptance): Promise<void> => {
      const running = acceptNow(id, acceptance).finally(() => {
        if (accepting.get(id) === running) accepting.delete(id)
      })
      accepting.set(id, running)
      return running
    },
    /** Resolves when the person's last decision is stored, or has failed. */
    whenAccepted: async (id: string): Promise<void> => accepting.get(id)?.catch(() => undefined),
    /** The first key of a partner needs no person, unless another device has accepted one. */
    acceptFirst: async (id: string): Promise<void> => {
      const partner = partnerOf(id)
      if (partner) await write(id, (stored) => stored ?? { ...partner, isVerified: false })
    },
  }
}

/** What becomes of the stored record once the person has accepted the key of the partner. */
function accepted(partner: { epoch: number; print: string }, { print, isVerified }: Acceptance) {
  if (partner.print !== print)
    throw new NotSealedError('keys_changed', 'The security code changed again. Compare the new one.')
  return (stored: KnownKey | null): KnownKey => {
    if (stored && stored.epoch > partner.epoch) return stored
    const wasVerified = stored?.print === partner.print && stored.isVerified
    return { ...partner, isVerified: isVerified ?? wasVerified }
  }
}
