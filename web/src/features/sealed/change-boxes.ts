import type { NewBox } from '@sumlock/contracts/identity-routes'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { boxUp, iterations, stretch } from '@sumlock/sealing/own-key'
import type { ApiError, Client } from '../../api/client.ts'
import { hasCrypto, saveCopies } from './key-copies.ts'
import type { KeyState } from './key-copies.ts'
import { createOpenKey, openBoxes } from './open-keys.ts'
import type { KeyAnswer, UsableKey } from './open-keys.ts'

/** Says why keys were not changed: the server refused a call, or a check on this page failed. */
class KeyChangeError extends Error implements ApiError {
  override readonly name = 'KeyChangeError'
  readonly status: number
  readonly code: string
  readonly sentence: string
  constructor({ status = 409, code, sentence = 'Please try again.' }: Partial<ApiError> & { code: string }) {
    super(`${status}: ${code}`)
    this.status = status
    this.code = code
    this.sentence = sentence
  }
}
/** Returns whether the server may have carried out a failed call all the same. */
export const isUnanswered = ({ status }: Pick<ApiError, 'status'>) => status === 0 || status >= 500
const refused = (code: string, sentence?: string) =>
  new KeyChangeError({ code, ...(sentence === undefined ? {} : { sentence }) })

async function call<T>({ request }: Client, url: string, body?: unknown): Promise<T> {
  const answer = await request({ url, ...(body === undefined ? {} : { method: 'POST', body }) })
  if ('error' in answer) throw new KeyChangeError(answer.error)
  return answer.data as T
}

/**
 * Requests the server's key shares with the number, as an unlock does, and opens the keys. The answer also has a new
 * secret for this device's copies of the keys, so they are stored again.
 */
async function openAgain(client: Client, userId: string, digits: string) {
  const body = { numericPassword: digits, entry: 'password-mode' }
  const answer = await call<KeyAnswer>(client, '/api/verify-numeric-password', body)
  const stretched = stretch(digits, userId)
  const { opened, lostEpochs } = await openBoxes({ digits, userId, stretched }, answer)
  if (answer.copyKey) await saveCopies(opened, answer.copyKey)
  return { answer, stretched, opened, lostEpochs }
}

export interface BoxesForChange {
  boxes: NewBox[]
  pinVersion: number
}

/**
 * Seals all keys for another number and returns the new boxes; undefined for a person without keys. Throws a
 * `KeyChangeError`.
 */
export async function boxesForChange(
  client: Client,
  userId: string,
  digits: string,
  nextDigits: string,
): Promise<BoxesForChange | undefined> {
  const state = await call<KeyState>(client, '/api/identity')
  if (state.identities.length === 0) return undefined
  if (!hasCrypto())
    throw refused('no_crypto', 'This page cannot change your keys. Open it over https and try again.')
  const { answer, opened, lostEpochs } = await openAgain(client, userId, digits)
  if (lostEpochs.length > 0)
    throw refused('keys_lost', 'Your keys do not open with this number. Make new keys first, in Settings.')
  const { keyShares, pinVersion } = answer
  const present = keyShares[0]
  if (!present) throw refused('key_conflict')
  const next = await stretch(nextDigits, userId)
  const boxes = await Promise.all(
    opened.map(async ({ own, pkcs8 }) => {
      const key = { ...own, n: iterations }
      const { box } = await boxUp(key, pkcs8, next, fromBase64Url(present.share))
      return { epoch: own.epoch, box: toBase64Url(box), sk: present.sk }
    }),
  )
  return { boxes, pinVersion }
}

/**
 * Creates the next key and gives up the keys that do not open. The page has to be loaded again before it can use the
 * new key. Throws a `KeyChangeError`.
 */
export async function makeNewKeys(client: Client, userId: string, digits: string): Promise<void> {
  if (!hasCrypto())
    throw refused('no_crypto', 'This page cannot make keys. Open it over https and try again.')
  const { answer, stretched, opened, lostEpochs } = await openAgain(client, userId, digits)
  const { keyShares, nextEpoch, pinVersion, copyKey } = answer
  const present = keyShares[0]
  if (!present) throw refused('key_conflict')
  const made: UsableKey & { identity: unknown } = await createOpenKey(
    { userId, stretched },
    nextEpoch,
    present,
  )
  const body = { currentNumericPassword: digits, key: made.identity, pinVersion, lostEpochs }
  // A call without an answer is repeated once, because the server stores nothing twice if the key is the same.
  await call(client, '/api/identity/renew', body).catch((error: KeyChangeError) =>
    isUnanswered(error) ? call(client, '/api/identity/renew', body) : Promise.reject(error),
  )
  if (copyKey) await saveCopies([...opened, made], copyKey)
}
