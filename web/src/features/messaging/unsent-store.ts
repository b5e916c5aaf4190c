import type { OutboxItem } from '@sumlock/sync/ports'
import { deviceStorage, tabStorage } from '../../shared/lib/safe-storage.ts'
import { createSealing } from './sealing.ts'
import type { Sealing } from './sealing.ts'

export const storageKey = 'calc.m'

/** What was written and not sent. */
export interface UnsentText {
  readonly items: readonly OutboxItem[]
  /** By conversation. */
  readonly drafts: Readonly<Record<string, string>>
}

export interface UnsentStore {
  read(): Promise<UnsentText>
  /** Reads, changes and writes as one step, also among several tabs. */
  update(change: (text: UnsentText) => UnsentText): Promise<void>
}

const nothing: UnsentText = { items: [], drafts: {} }

/**
 * Keeps unsent text of all tabs in one encrypted entry. It is written at every opening, with the same size whether there
 * is text or not: who looks at a locked phone learns nothing from it. Without a key or encryption it lives in memory.
 */
export async function openUnsentStore(keyBase64: string | undefined): Promise<UnsentStore> {
  const sealing = keyBase64 === undefined ? undefined : createSealing(keyBase64)
  if (!sealing) return createMemoryStore()
  const exclusively = createExclusion()
  const read = async () => toUnsentText(await openEntry(sealing, deviceStorage.get(storageKey)))
  const store: UnsentStore = {
    read,
    update: (change) =>
      exclusively(async () => {
        const sealed = await sealing.seal(change(await read()))
        deviceStorage.set(storageKey, sealed)
      }),
  }
  try {
    const earlier = await takeEntryOfTab(sealing)
    await store.update((text) => ({ ...text, items: [...text.items, ...earlier] }))
    return store
  } catch {
    // Where storage is blocked, browsers refuse locks as well.
    return createMemoryStore()
  }
}

const openEntry = (sealing: Sealing, entry: string | null) =>
  entry === null ? Promise.resolve(undefined) : sealing.open(entry)

function toUnsentText(value: unknown): UnsentText {
  return typeof value === 'object' && value !== null && 'items' in value ? (value as UnsentText) : nothing
}

/** Earlier releases kept a list of messages in each tab. */
async function takeEntryOfTab(sealing: Sealing): Promise<OutboxItem[]> {
  const items = await openEntry(sealing, tabStorage.get(storageKey))
  tabStorage.remove(storageKey)
  return Array.isArray(items) ? (items as OutboxItem[]) : []
}

/** One at a time: among all tabs where the browser has locks, else in this one. */
function createExclusion(): (work: () => Promise<void>) => Promise<void> {
  const locks = navigator.locks as LockManager | undefined
  if (locks) return async (work) => void (await locks.request(storageKey, work))
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = last.then(work)
    last = run.catch(() => undefined)
    return run
  }
}

function createMemoryStore(): UnsentStore {
  let kept = nothing
  return {
    read: () => Promise.resolve(kept),
    update: (change) => {
      kept = change(kept)
      return Promise.resolve()
    },
  }
}
