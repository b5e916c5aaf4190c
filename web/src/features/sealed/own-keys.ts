import type { OwnKey } from '@sumlock/sealing/own-key'

/** Holds the private keys of the signed-in person that this page can use. */
export interface OwnKeys {
  /**
   * The keys are in ascending order of epoch, and the last one seals new text. The array is empty if the number was not
   * entered on this page.
   */
  readonly keys: readonly OwnKey[]
  /** The boxes of the keys with these epochs did not open with the right number. */
  readonly lostEpochs: readonly number[]
}

export const noKeys: OwnKeys = { keys: [], lostEpochs: [] }

/** Holds the person's keys for as long as a session is open. */
export interface HeldKeys {
  /** Never resolves after `forget`, because text would be sent plain without keys. */
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
