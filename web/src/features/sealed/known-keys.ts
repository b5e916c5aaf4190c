import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { createKnownKeyRecords } from '@sumlock/sealing/known-key-records'
import type { KnownKeyRecords } from '@sumlock/sealing/known-key-records'
import type { HeldKeys } from './own-keys.ts'
import { unreadableKey } from './trust.ts'
import type { AcceptedKey } from './trust.ts'

interface StoredBox {
  /** Without a box the version is 0. */
  version: number
  box: string | null
}

/** Reads and writes boxes on the server. Each call rejects if there is no answer. */
export interface KnownKeyBoxes {
  read(name: string): Promise<StoredBox>
  /** Resolves to false if another device has already stored this version. */
  write(name: string, box: { version: number; box: string }): Promise<boolean>
}

const mostTries = 5

/**
 * Stores which key of each partner is accepted, in one record for each conversation. The server keeps the records in
 * boxes that it can neither open nor change, under names that do not reveal the conversation.
 */
export function createKnownKeys(own: HeldKeys, boxes: KnownKeyBoxes) {
  /** Each own key has a store of records; the newest key's comes first. */
  let stores: Promise<KnownKeyRecords[]> | undefined
  const openStores = () =>
    (stores ??= own
      .read()
      .then(({ keys }) => Promise.all(keys.toReversed().map((key) => createKnownKeyRecords(key)))))

  const readFrom = async (store: KnownKeyRecords, conversationId: string) => {
    const name = await store.nameOf(conversationId)
    const { version, box } = await boxes.read(name)
    return { name, version, key: box === null ? null : await openRecord(store, name, version, box) }
  }
  const firstRecord = async (inStores: readonly KnownKeyRecords[], conversationId: string) => {
    for (const store of inStores) {
      const { key } = await readFrom(store, conversationId)
      if (key) return key
    }
    return null
  }
  return {
    /** Resolves to null if no key of this partner was accepted yet. A record under a former own key also counts. */
    read: async (conversationId: string): Promise<AcceptedKey | null> =>
      firstRecord(await openStores(), conversationId),
    /**
     * Stores the result of `decide` under the newest own key and resolves to it. `decide` receives the present record
     * and is called again if another device changes that record at the same time.
     */
    async write(
      conversationId: string,
      decide: (stored: AcceptedKey | null) => AcceptedKey,
    ): Promise<AcceptedKey> {
      const [store, ...former] = await openStores()
      if (!store) throw new Error('No key is open on this page. Please lock and enter your number.')
      for (let tries = 0; tries < mostTries; tries += 1) {
        const { name, version: before, key } = await readFrom(store, conversationId)
        const next = decide(key ?? (await firstRecord(former, conversationId)))
        if (key && isEqual(key, next)) return key
        const version = before + 1
        const box = toBase64Url(await store.seal(name, version, toBytes(next)))
        if (await boxes.write(name, { version, box })) return next
      }
      throw new Error('Other devices keep changing this record. Please try again.')
    },
    forget: (): void => {
      stores = undefined
    },
  }
}

export type KnownKeys = ReturnType<typeof createKnownKeys>

const toBytes = ({ epoch, print, isVerified }: AcceptedKey) =>
  new TextEncoder().encode(JSON.stringify({ e: epoch, f: print, v: isVerified }))

async function openRecord(
  store: KnownKeyRecords,
  name: string,
  version: number,
  box: string,
): Promise<AcceptedKey> {
  try {
    const plain = await store.open(name, version, fromBase64Url(box))
    const { e: epoch, f: print, v } = JSON.parse(new TextDecoder().decode(plain)) as Record<string, unknown>
    if (typeof epoch === 'number' && typeof print === 'string')
      return { epoch, print, isVerified: v === true }
  } catch {
    // A record that does not open is treated like one of the wrong shape.
  }
  return unreadableKey
}

const isEqual = (a: AcceptedKey, b: AcceptedKey) =>
  a.epoch === b.epoch && a.print === b.print && a.isVerified === b.isVerified
