import type { OwnKey } from '@sumlock/sealing/own-key'

/** The private keys of the signed-in person that this page can use. */
export interface OwnKeys {
  /** Ascending by epoch; the last one is for new text. Empty when this page has not seen the number. */
  readonly keys: readonly OwnKey[]
  /** Keys whose box did not open with the right number. */
  readonly lostEpochs: readonly number[]
}

export const noKeys: OwnKeys = { keys: [], lostEpochs: [] }

/** The own keys of a session. */
export interface HeldKeys {
  /** Never resolves once they are forgotten: without keys, text would be sent plain. */
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
