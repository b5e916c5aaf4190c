import type { Identity, NewBox } from '@sumlock/contracts/identity-routes'
import { limits } from '@sumlock/contracts/limits'
import { epochsMax } from '@sumlock/contracts/sealed'
import { boxesRequired, keyConflict, tooManyKeys } from './errors.ts'
import type { User, UserKey } from './user.ts'

type BoxedKey = UserKey & { box: string }
type Keys = Pick<User, 'keys' | 'pinVersion'>

/** Returns the keys that can still be opened. */
export const boxedKeys = ({ keys = [] }: Pick<User, 'keys'>): BoxedKey[] =>
  keys.filter((key): key is BoxedKey => key.box !== null)

/** Returns the ids of the secrets whose shares open a person's boxes. */
export const keysInUse = (user: Pick<User, 'keys'>): string[] => boxedKeys(user).map(({ sk }) => sk)

const nextEpoch = ({ keys }: Pick<User, 'keys'>): number => (keys?.at(-1)?.epoch ?? 0) + 1

export const keyStateOf = (user: Keys, copyKey: string | null) => ({
  identities: boxedKeys(user),
  nextEpoch: nextEpoch(user),
  pinVersion: user.pinVersion,
  copyKey,
})

/**
 * Returns the keys with boxes for the next PIN; undefined if the person has no keys. Throws `boxes_required` unless each key
 * with a box gets a new one that was made with the present PIN version, because the next PIN could not open an old box.
 */
export function withNewBoxes(
  user: Keys,
  { boxes, pinVersion }: { boxes: readonly NewBox[]; pinVersion: number | undefined },
): UserKey[] | undefined {
  const boxed = boxedKeys(user)
  if (boxed.length === 0 && boxes.length === 0) return undefined
  const given = new Map(boxes.map((box) => [box.epoch, box]))
  const isComplete = given.size === boxes.length && boxes.length === boxed.length
  if (!isComplete || pinVersion !== user.pinVersion || !boxed.every(({ epoch }) => given.has(epoch)))
    throw boxesRequired()
  return user.keys?.map((key) => ({ ...key, ...given.get(key.epoch) }))
}

export interface NextKey {
  key: Identity
  /** The box was made with this version of the PIN. */
  pinVersion: number
  /** The keys of these epochs can no longer be opened. */
  lostEpochs: readonly number[]
}

/** Returns whether this key is stored with this box. */
export const holdsKey = ({ keys = [] }: Pick<User, 'keys'>, { epoch, pub, box }: Identity): boolean =>
  keys.some((held) => held.epoch === epoch && held.pub === pub && held.box === box)

/** Throws `too_many_keys` if the epoch is higher than a person can have. */
export function requireEpoch({ epoch }: Pick<Identity, 'epoch'>): void {
  if (epoch > epochsMax) throw tooManyKeys()
}

/**
 * Returns the keys with the next one added and the boxes of lost keys removed. Throws `key_conflict` when the next key was
 * made for another PIN version or after other keys, and `too_many_keys` when the person has enough.
 */
export function withNextKey(user: Keys, { key, pinVersion, lostEpochs }: NextKey): UserKey[] {
  requireEpoch(key)
  const { keys = [] } = user
  const areKnown = lostEpochs.every((lost) => keys.some(({ epoch }) => epoch === lost))
  if (key.epoch !== nextEpoch(user) || pinVersion !== user.pinVersion || !areKnown) throw keyConflict()
  const kept = keys.map((held) => (lostEpochs.includes(held.epoch) ? { ...held, box: null } : held))
  if (boxedKeys({ keys: kept }).length >= limits.boxedKeys) throw tooManyKeys()
  return [...kept, key]
}
