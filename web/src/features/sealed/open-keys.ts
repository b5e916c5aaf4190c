import type { Identity, UnlockedKeys } from '@sumlock/contracts/identity-routes'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import type { Bytes } from '@sumlock/sealing/bytes'
import { boxUp, createKey, importKey, iterations, stretch, unbox } from '@sumlock/sealing/own-key'
import type { OwnKey, StoredKey } from '@sumlock/sealing/own-key'
import type { Client } from '../../api/client.ts'
import { fetchKeyState, hasCrypto, saveCopies } from './key-copies.ts'
import { noKeys } from './own-keys.ts'
import type { OwnKeys } from './own-keys.ts'

/** Describes the part of the server's answer to a right number that concerns the person's keys. */
export type KeyAnswer = Pick<
  UnlockedKeys,
  'identities' | 'nextEpoch' | 'pinVersion' | 'keyShares' | 'copyKey'
>

/**
 * Storing a key takes at most this time (ms) for each of two tries. Messages wait for the first key, and open without
 * it if it cannot be stored.
 */
const putWithinMs = 3000

export interface UsableKey {
  own: OwnKey
  pkcs8: Bytes
}

/** Stretches the digits, which takes 80 ms on a desktop, during the call to the server if the person's id is known. */
export function beginOpening(client: Client, digits: string, knownUserId: string | undefined) {
  const early = knownUserId !== undefined && hasCrypto() ? stretch(digits, knownUserId) : undefined
  // `finish` is not called after a wrong entry, and the browser would then log a failure as unhandled.
  early?.catch(() => undefined)
  return {
    /** Opens or creates the person's keys after a right entry. */
    finish: async (answer: KeyAnswer & { userId: string }): Promise<OwnKeys> => {
      const { userId } = answer
      if (!hasCrypto()) return noKeys
      const stretched = knownUserId === userId ? early : undefined
      return openKeys(client, { digits, userId, stretched: stretched ?? stretch(digits, userId) }, answer)
    },
  }
}

export interface Entry {
  /** A box with another number of iterations needs the digits themselves. */
  digits: string
  userId: string
  stretched: Promise<Bytes>
}

const toStored = (userId: string, { epoch, pub, box, n }: Identity): StoredKey => ({
  userId,
  epoch,
  n,
  pub: fromBase64Url(pub),
  box: fromBase64Url(box),
})

const isNotNull = <T>(value: T | null): value is T => value !== null

async function openKeys(client: Client, entry: Entry, answer: KeyAnswer): Promise<OwnKeys> {
  const { identities, keyShares, nextEpoch, copyKey } = answer
  if (!keyShares[0]) return noKeys
  const { opened, lostEpochs } = await openBoxes(entry, answer)
  const usable = identities.length > 0 ? opened : await createFirst(client, entry, nextEpoch, answer)
  moveBoxes(client, entry, answer, opened)
  if (copyKey) await saveCopies(usable, copyKey)
  return { keys: usable.map(({ own }) => own), lostEpochs }
}

/** Returns the keys whose boxes open, and the epochs of all other keys. */
export async function openBoxes(entry: Entry, { identities, keyShares }: KeyAnswer) {
  const all = await Promise.all(identities.map((identity) => openOne(entry, identity, keyShares)))
  const lost = identities.filter((_identity, index) => all[index] === null)
  return { opened: all.filter(isNotNull), lostEpochs: lost.map(({ epoch }) => epoch) }
}

/** Resolves to null if the box does not open although the number is right. */
async function openOne(
  { digits, userId, stretched }: Entry,
  identity: Identity,
  shares: UnlockedKeys['keyShares'],
): Promise<UsableKey | null> {
  try {
    const stored = toStored(userId, identity)
    const share = fromBase64Url(shares.find(({ sk }) => sk === identity.sk)?.share ?? '')
    const own = identity.n === iterations ? await stretched : await stretch(digits, userId, identity.n)
    const pkcs8 = await unbox(stored, own, share)
    return { own: await importKey(stored, pkcs8), pkcs8 }
  } catch {
    return null
  }
}

/**
 * Creates the first key, or the next one after a reset of the app. If another device has created one before, that
 * device's keys are used.
 */
async function createFirst(
  client: Client,
  entry: Entry,
  epoch: number,
  answer: KeyAnswer,
): Promise<UsableKey[]> {
  const { keyShares, pinVersion } = answer
  const share = keyShares[0]
  if (!share) return []
  const made = await createOpenKey(entry, epoch, share)
  const saved = await putIdentity(client, made.identity, pinVersion)
  if (saved === 'kept') return [made]
  if (saved === 'failed') return []
  const { identities } = await fetchKeyState(client)
  const opened = await Promise.all(identities.map((identity) => openOne(entry, identity, keyShares)))
  return opened.filter(isNotNull)
}

/** Returns a new key, whose box was opened once as a test. */
export async function createOpenKey(
  { userId, stretched }: Pick<Entry, 'userId' | 'stretched'>,
  epoch: number,
  { sk, share }: UnlockedKeys['keyShares'][number],
): Promise<UsableKey & { identity: Identity }> {
  const secret = fromBase64Url(share)
  const { stored } = await createKey({ userId, epoch }, await stretched, secret)
  const pkcs8 = await unbox(stored, await stretched, secret)
  const identity = { epoch, pub: toBase64Url(stored.pub), box: toBase64Url(stored.box), n: stored.n, sk }
  return { own: await importKey(stored, pkcs8), pkcs8, identity }
}

/** Stores a key on the server. `kept` means that the server has it now. A call without an answer is repeated once. */
async function putIdentity(
  { request }: Client,
  identity: Identity,
  pinVersion: number,
): Promise<'kept' | 'conflict' | 'failed'> {
  const body = { ...identity, pinVersion }
  for (let tries = 0; tries < 2; tries += 1) {
    const answer = await request({ url: '/api/identity', method: 'PUT', body, timeoutMs: putWithinMs })
    if (!('error' in answer)) return 'kept'
    if (answer.error.code === 'key_conflict') return 'conflict'
    if (answer.error.status !== 0 && answer.error.status < 500) return 'failed'
  }
  return 'failed'
}

/** Seals boxes again for the server's present secret. Nobody waits for this, because the next unlock tries again. */
function moveBoxes(
  client: Client,
  { userId, stretched }: Entry,
  answer: KeyAnswer,
  usable: readonly UsableKey[],
): void {
  const { identities, keyShares, pinVersion } = answer
  const present = keyShares[0]
  const move = async (identity: Identity, { pkcs8 }: UsableKey) => {
    if (!present) return
    const moved = await boxUp(
      toStored(userId, identity),
      pkcs8,
      await stretched,
      fromBase64Url(present.share),
    )
    await putIdentity(
      client,
      { ...identity, n: iterations, box: toBase64Url(moved.box), sk: present.sk },
      pinVersion,
    )
  }
  for (const identity of identities) {
    const opened = usable.find(({ own }) => own.epoch === identity.epoch)
    if (opened && identity.sk !== present?.sk && identity.n === iterations)
      move(identity, opened).catch(() => undefined)
  }
}
