import { createListeners } from '@sumlock/sync/listeners'
import { createKeyPrints } from './key-prints.ts'
import type { KnownConversations } from './known-conversations.ts'
import type { KnownKeys } from './known-keys.ts'
import { NotSealedError } from './not-sealed-error.ts'
import { noKeys } from './own-keys.ts'
import type { HeldKeys, OwnKeys } from './own-keys.ts'
import { trustOf } from './trust.ts'
import type { AcceptedKey, Trust } from './trust.ts'

/** States that the person accepts the partner's key with this print, which the screen has shown. */
export interface Acceptance {
  print: string
  /** If this is absent, the key stays verified if it already was. */
  isVerified?: boolean
}

export interface TrustStoreOptions {
  own: HeldKeys
  conversations: KnownConversations
  knownKeys: KnownKeys
}

/** Gives access to the newest key of each partner, with its print. */
function createPartnerKeys({ own, conversations }: Pick<TrustStoreOptions, 'own' | 'conversations'>) {
  const prints = createKeyPrints()
  const newestKey = (id: string) => conversations.get(id)?.keys.at(-1)
  return {
    hasKey: (id: string): boolean => newestKey(id) !== undefined,
    /** Computes the print of the newest key. */
    prepare: async (id: string): Promise<void> => {
      const { pub } = newestKey(id) ?? {}
      // Without own keys nothing is sealed, and the browser may have no cryptography for the print.
      if ((await own.read()).keys.length > 0 && pub !== undefined) await prints.learn(pub)
    },
    /** Returns undefined until the key's print is computed. */
    newest(id: string) {
      const { epoch, pub = '' } = newestKey(id) ?? {}
      const print = prints.get(pub)
      return epoch !== undefined && print !== undefined ? { epoch, print } : undefined
    },
  }
}

/** Stores which key of each partner is accepted: the first one automatically, any other only by the person. */
export function createTrustStore({ own, conversations, knownKeys }: TrustStoreOptions) {
  let present: OwnKeys | undefined
  const known = new Map<string, AcceptedKey | null>()
  const partners = createPartnerKeys({ own, conversations })
  const changed = createListeners<[]>()
  const reading = new Map<string, Promise<void>>()
  /** Decisions that are being stored. Sending waits for them. */
  const accepting = new Map<string, Promise<void>>()
  /** An unchanged trust stays the same object, so that a screen renders only changes. */
  const trusts = new Map<string, Trust>()
  void own.read().then((keys) => {
    present = keys
    changed.emit()
  })

  const trust = (id: string): Trust => {
    const needsPrint = present?.keys.length !== 0 && partners.hasKey(id)
    const isReady = present !== undefined && (!needsPrint || partners.newest(id) !== undefined)
    const next: Trust = isReady
      ? trustOf({ own: present ?? noKeys, partner: partners.newest(id), known: known.get(id) })
      : { state: 'unknown' }
    const before = trusts.get(id)
    if (before && JSON.stringify(before) === JSON.stringify(next)) return before
    trusts.set(id, next)
    return next
  }
  /** Reads the accepted key, once for each conversation. Rejects while the server does not answer. */
  const prepareTrust = async (id: string): Promise<void> => {
    const { keys } = await own.read()
    const before = trust(id)
    await partners.prepare(id)
    if (keys.length > 0 && !known.has(id)) {
      const running = reading.get(id) ?? knownKeys.read(id).then((key) => void known.set(id, key))
      reading.set(id, running)
      await running.finally(() => reading.delete(id))
    }
    if (trust(id) !== before) changed.emit()
  }
  conversations.onKeys((id) => void partners.prepare(id).then(changed.emit))
  const write = async (id: string, decide: (stored: AcceptedKey | null) => AcceptedKey): Promise<void> => {
    known.set(id, await knownKeys.write(id, decide))
    changed.emit()
  }
  const acceptNow = async (id: string, acceptance: Acceptance): Promise<void> => {
    await prepareTrust(id)
    const partner = partners.newest(id)
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
    /** Resolves when the person's last decision is stored or storing it has failed. */
    whenAccepted: async (id: string): Promise<void> => accepting.get(id)?.catch(() => undefined),
    /** Accepts the first key of a partner, unless another device has already accepted one. */
    acceptFirst: async (id: string): Promise<void> => {
      const partner = partners.newest(id)
      if (partner) await write(id, (stored) => stored ?? { ...partner, isVerified: false })
    },
  }
}

/** Returns a function that makes the record of a key which the person has accepted. */
function accepted(partner: { epoch: number; print: string }, { print, isVerified }: Acceptance) {
  if (partner.print !== print)
    throw new NotSealedError('keys_changed', 'The security code changed again. Compare the new one.')
  return (stored: AcceptedKey | null): AcceptedKey => {
    if (stored && stored.epoch > partner.epoch) return stored
    const wasVerified = stored?.print === partner.print && stored.isVerified
    return { ...partner, isVerified: isVerified ?? wasVerified }
  }
}
