import type { OwnKey } from '@sumlock/sealing/own-key'
import { deviceStorage } from '../../shared/lib/safe-storage.ts'

/** The private keys of the signed-in person that this page can use. */
export interface OwnKeys {
  /** Ascending by epoch; the last one is for new text. Empty when this page has not seen the number. */
  readonly keys: readonly OwnKey[]
  /** Keys whose box did not open with the right number. */
  readonly lostEpochs: readonly number[]
}

export const noKeys: OwnKeys = { keys: [], lostEpochs: [] }

/** Storage key of the copies of the keys. What opens them is at the server, and goes with the unlock. */
export const copiesKey = 'calc.k'

/** After a lock nothing opens them; without a network, the server may not know of the lock yet. */
export const removeCopies = (): void => deviceStorage.remove(copiesKey)

let opening: Promise<OwnKeys> | undefined

/** In memory only: a lock replaces the page, and the keys go with it. */
export const ownKeys = {
  keep: (keys: Promise<OwnKeys>): void => {
    opening = keys.catch(() => noKeys)
  },
  /** Undefined when this page saw no unlock, such as after a reload. */
  get: (): Promise<OwnKeys> | undefined => opening,
}
