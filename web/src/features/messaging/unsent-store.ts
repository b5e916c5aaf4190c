import type { OutboxItem } from '@sumlock/sync/ports'
import { deviceStorage, tabStorage } from '../../shared/lib/safe-storage.ts'
import { createSealing } from './sealing.ts'
import type { Sealing } from './sealing.ts'

export const storageKey = 'calc.m'
/** For a second account while the first entry holds unsent text of another one. */
export const secondStorageKey = 'calc.n'
const entryKeys = [storageKey, secondStorageKey]

/** Unsent messages and drafts of one account. */
export interface UnsentText {
  readonly items: readonly OutboxItem[]
  /** By conversation. */
  readonly drafts: Readonly<Record<string, string>>
}

export interface UnsentStore {
  read(): Promise<UnsentText>
  /**
   * Reads, changes and writes as one step, also among several tabs. Changes that are made without a pause between them
   * are written together.
   */
  update(change: Change): Promise<void>
  /** Stops all writes, including one that is being encrypted now. */
  close(): void
}

type Change = (text: UnsentText) => UnsentText

const nothing: UnsentText = { items: [], drafts: {} }

/**
 * Keeps unsent text of all tabs in one encrypted entry. It is written at every start, with the same size with and
 * without text, so that a locked phone reveals nothing. Without a key or encryption it stays in memory.
 */
export async function openUnsentStore(keyBase64: string | undefined): Promise<UnsentStore> {
  const sealing = keyBase64 === undefined ? undefined : createSealing(keyBase64)
  if (!sealing) return createMemoryStore()
  const exclusively = createExclusion()
  const key = await findEntryKey(sealing)
  if (key === undefined) return createMemoryStore()
  let isClosed = false
  let last: { entry: string; text: UnsentText } | undefined
  const textOf = async (entry: string | null) => {
    if (entry === null) return nothing
    // Nothing was written by another tab: opening takes as long as sealing, and a message is shown after both.
    if (entry === last?.entry) return last.text
    const content = await sealing.open(entry)
    if (content === undefined) throw new Error('The entry belongs to another account')
    return toUnsentText(content)
  }
  const write = async (changes: readonly Change[]) => {
    const text = changes.reduce((former, change) => change(former), await textOf(deviceStorage.get(key)))
    const entry = await sealing.seal(text)
    if (isClosed) return
    deviceStorage.set(key, entry)
    last = { entry, text }
  }
  const store: UnsentStore = {
    read: async () => toUnsentText(await openEntry(sealing, deviceStorage.get(key))),
    update: inBatches((take) => exclusively(() => write(take()))),
    close: () => {
      isClosed = true
    },
  }
  try {
    const earlier = await takeEntryOfTab(sealing)
    await store.update((text) => ({ ...text, items: [...text.items, ...earlier] }))
    return store
  } catch {
    // A browser with blocked storage refuses locks as well.
    return createMemoryStore()
  }
}

/** Removes what an account with this key has stored. */
export async function discardUnsentText(keyBase64: string): Promise<void> {
  const sealing = createSealing(keyBase64)
  for (const key of entryKeys) if (sealing && (await isOwn(sealing, key))) deviceStorage.remove(key)
}

const openEntry = (sealing: Sealing, entry: string | null) =>
  entry === null ? Promise.resolve(undefined) : sealing.open(entry)

/** Free, or written with this key. */
async function isOwn(sealing: Sealing, key: string): Promise<boolean> {
  const entry = deviceStorage.get(key)
  return entry === null || (await sealing.open(entry)) !== undefined
}

/** The entry of this account, else a free one; undefined while other accounts have text in all of them. */
async function findEntryKey(sealing: Sealing): Promise<string | undefined> {
  const own = []
  for (const key of entryKeys) if (await isOwn(sealing, key)) own.push(key)
  return own.find((key) => deviceStorage.get(key) !== null) ?? own[0]
}

function toUnsentText(value: unknown): UnsentText {
  return typeof value === 'object' && value !== null && 'items' in value ? (value as UnsentText) : nothing
}

/** Earlier releases kept a list of messages in each tab. */
async function takeEntryOfTab(sealing: Sealing): Promise<OutboxItem[]> {
  const items = await openEntry(sealing, tabStorage.get(storageKey))
  tabStorage.remove(storageKey)
  return Array.isArray(items) ? (items as OutboxItem[]) : []
}

/** Collects changes until `run`, which writes them, takes them; those that follow begin another batch. */
function inBatches(run: (take: () => readonly Change[]) => Promise<void>): (change: Change) => Promise<void> {
  let batch: { changes: Change[]; written: Promise<void> } | undefined
  const begin = () => {
    const changes: Change[] = []
    const end = () => {
      if (batch === begun) batch = undefined
    }
    const take = () => {
      end()
      return changes
    }
    const begun = { changes, written: run(take).finally(end) }
    return begun
  }
  return (change) => {
    batch ??= begin()
    batch.changes.push(change)
    return batch.written
  }
}

/** Runs one update at a time: across all tabs if the browser has locks, else within this tab. */
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
    close: () => undefined,
  }
}
