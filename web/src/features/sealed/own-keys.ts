import type { OwnKey } from '@sumlock/sealing/own-key'

/** The private keys of the signed-in person that this page can use. */
export interface OwnKeys {
  /** Ascending by epoch; the last one seals new text. Empty if the number was not entered on this page. */
  readonly keys: readonly OwnKey[]
  /** The epochs of keys whose box did not open with the right number. */
  readonly lostEpochs: readonly number[]
}

export const noKeys: OwnKeys = { keys: [], lostEpochs: [] }

/** The own keys of a session. */
export interface HeldKeys {
  /** Never resolves once the keys were removed, because text would be sent plain without them. */
  read(): Promise<OwnKeys>
  forget(): void
}

export function holdKeys(opened: Promise<OwnKeys>): HeldKeys {
  let held = opened
  return {
    read: () => held,
    forget: () => {
      held = new Promise(() => undefined)
    },
  }
}
