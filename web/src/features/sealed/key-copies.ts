import type { Identity } from '@sumlock/contracts/identity-routes'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import type { Bytes } from '@sumlock/sealing/bytes'
import { importKey, openCopy, sealCopy } from '@sumlock/sealing/own-key'
import type { OwnKey } from '@sumlock/sealing/own-key'
import { askUntilAnswered } from '../../api/ask-until-answered.ts'
import type { Client } from '../../api/client.ts'
import { deviceStorage } from '../device/safe-storage.ts'
import { copiesKey } from '../device/stored-copies.ts'
import { noKeys } from './own-keys.ts'
import type { OwnKeys } from './own-keys.ts'

/** Stores sealed copies of the keys for a reload and for other tabs of the same unlock. */
export async function saveCopies(
  keys: readonly { own: OwnKey; pkcs8: Bytes }[],
  copyKey: string,
): Promise<void> {
  const secret = fromBase64Url(copyKey)
  const copies = await Promise.all(
    keys.map(async ({ own, pkcs8 }) => toBase64Url(await sealCopy(own, pkcs8, secret))),
  )
  deviceStorage.set(copiesKey, copies.join())
}

export interface KeyState {
  identities: readonly Identity[]
  copyKey: string | null
}

const askWithinMs = 5000

/**
 * Fetches the server's record of the person's keys; the record is empty if the server refuses. Waits until there is an
 * answer, because text would be sent plain without keys.
 */
export async function fetchKeyState(client: Client): Promise<KeyState> {
  const answer = await askUntilAnswered(client, { url: '/api/identity', timeoutMs: askWithinMs })
  const state = 'error' in answer ? {} : (answer.data as Partial<KeyState>)
  return { identities: [], copyKey: null, ...state }
}

/** Restores the keys of this unlock from their stored copies, for a page in which the number was not entered. */
export async function loadCopies(client: Client, userId: string): Promise<OwnKeys> {
  const copies = deviceStorage.get(copiesKey)?.split(',') ?? []
  if (copies.length === 0 || !hasCrypto()) return noKeys
  const { identities, copyKey } = await fetchKeyState(client)
  if (!copyKey) return noKeys
  const secret = fromBase64Url(copyKey)
  const open = async ({ epoch, pub }: KeyState['identities'][number]) => {
    const key = { userId, epoch, pub: fromBase64Url(pub) }
    // A copy does not name its key, so each copy is tried.
    for (const copy of copies) {
      try {
        return await importKey({ ...key, n: 0 }, await openCopy(key, fromBase64Url(copy), secret))
      } catch {
        continue
      }
    }
    return undefined
  }
  const keys = await Promise.all(identities.map(open))
  return { keys: keys.filter((key) => key !== undefined), lostEpochs: [] }
}

/** Returns false on plain http, where browsers offer no cryptography. */
export const hasCrypto = (): boolean => Boolean(crypto.subtle as SubtleCrypto | undefined)
