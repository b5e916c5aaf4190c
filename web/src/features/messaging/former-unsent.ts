import type { OutboxItem } from '@sumlock/sync/ports'
import { fromBase64 } from '@sumlock/sealing/bytes'
import { deviceStorage, tabStorage } from '../../shared/lib/safe-storage.ts'
import type { SafeStorage } from '../../shared/lib/safe-storage.ts'
import type { Sealing } from './sealing.ts'
import { toUnsentText } from './unsent-text.ts'
import type { UnsentText } from './unsent-text.ts'

/** Where earlier releases kept unsent text, as base64: two entries of the device, and one list of messages in each tab. */
const places: readonly (readonly [SafeStorage, string])[] = [
  [deviceStorage, 'calc.m'],
  [deviceStorage, 'calc.n'],
  [tabStorage, 'calc.m'],
]

export interface FormerText {
  text: UnsentText
  /** Removes it from its place, once it is stored elsewhere. */
  remove: () => void
}

/** The unsent text of this key from earlier releases. An entry of another account stays where it is. */
export async function formerTexts(sealing: Sealing): Promise<FormerText[]> {
  const found = await Promise.all(
    places.map(async ([storage, name]) => {
      const entry = storage.get(name)
      const value = entry === null ? undefined : await sealing.open(decode(entry))
      if (value === undefined) return []
      const text = Array.isArray(value) ? { items: value as OutboxItem[], drafts: {} } : toUnsentText(value)
      return [{ text, remove: () => storage.remove(name) }]
    }),
  )
  return found.flat()
}

function decode(entry: string) {
  try {
    return fromBase64(entry)
  } catch {
    return new Uint8Array()
  }
}
