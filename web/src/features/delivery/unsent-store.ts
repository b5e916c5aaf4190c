import { createListeners } from '@sumlock/sync/listeners'
import { openEntries } from '../device/entries.ts'
import type { Entries } from '../device/entries.ts'
import { createSealing, randomEntry } from './sealing.ts'
import type { Sealing } from './sealing.ts'
import { isNothing, nothing, toUnsentText } from './unsent-text.ts'
import type { UnsentText } from './unsent-text.ts'

export interface UnsentStore {
  /** Returns all unsent text, including text that does not fit into the entry. */
  read(): Promise<UnsentText>
  /**
   * Reads, changes and writes as one step, also among several tabs. Changes that are made without a pause between them
   * are written together. Resolves to false if a change makes the text too long for the entry. The change is then kept
   * in memory and tried again with every later change; the next change of the same `part` replaces it.
   */
  update(change: Change, part: string): Promise<boolean>
  /** Whether some text is only in memory, because the entry is full. */
  readonly isFull: boolean
  /** Calls back after `isFull` has changed. */
  subscribe(listener: () => void): () => void
  /** Stops all writes, also a running one, and removes key and text from memory. */
  close(): void
}

type Change = (text: UnsentText) => UnsentText
type Changes = ReadonlyMap<string, Change>

const lockName = 'calc.m'
/** Entries of other accounts are not removed. If there are this many, the text of a further account stays in memory. */
const maxEntries = 2

/**
 * Keeps the unsent text of all tabs in one encrypted entry of constant size; without text it contains random bytes.
 * Without a key, encryption or a database, text stays in memory.
 */
export async function openUnsentStore(keyBase64: string | undefined): Promise<UnsentStore> {
  const sealing = keyBase64 === undefined ? undefined : createSealing(keyBase64)
  const entries = sealing && (await openEntries())
  if (!sealing || !entries) return createMemoryStore()
  try {
    const name = await sealing.name
    const names = await entries.names()
    if (!names.includes(name) && names.length >= maxEntries) return createMemoryStore()
    const store = createEntryStore(sealing, entries, name)
    // The entry is written at every start, so that it does not reveal whether there is text.
    await store.update((text) => text, 'start')
    return store
  } catch {
    // A browser with blocked storage also refuses locks.
    return createMemoryStore()
  }
}

function createEntryStore(opened: Sealing, entries: Entries, name: string): UnsentStore {
  /** The value is null after `close`. */
  let sealing: Sealing | null = opened
  const exclusively = createExclusion()
  const changed = createListeners<[]>()
  let last: { entry: Uint8Array; text: UnsentText } | undefined
  /** These changes did not fit; the keys are their parts. */
  let tooLong: Changes = new Map()

  const isClosed = () => sealing === null
  const stored = async () => {
    const entry = await entries.read(name)
    if (entry === null) return nothing
    // The entry is unchanged since this tab's last write, so the text is returned without opening the entry, which
    // would take as long as sealing it.
    if (last && isSame(entry, last.entry)) return last.text
    return toUnsentText(await sealing?.open(entry))
  }
  const write = async (changes: Changes) => {
    const all = new Map([...tooLong, ...changes])
    const before = await stored()
    if (!sealing) return changes
    const { text, left } = applyFitting(before, all, sealing)
    const entry = isNothing(text) ? randomEntry() : await sealing.seal(text)
    if (isClosed()) return left
    await entries.write(name, entry)
    if (isClosed()) return left
    last = { entry, text }
    const wasFull = tooLong.size > 0
    tooLong = left
    if (wasFull !== left.size > 0) changed.emit()
    return left
  }
  return {
    read: async () => applyAll(await stored(), tooLong),
    update: inBatches((take) => exclusively(() => write(take()))),
    get isFull() {
      return tooLong.size > 0
    },
    subscribe: changed.add,
    close: () => {
      sealing = null
      last = undefined
      tooLong = new Map()
    },
  }
}

/** Removes the unsent text that an account has stored with this key. */
export async function discardUnsentText(keyBase64: string): Promise<void> {
  const sealing = createSealing(keyBase64)
  if (!sealing) return
  const entries = await openEntries()
  await entries?.remove(await sealing.name)
}

const applyAll = (text: UnsentText, changes: Changes) =>
  [...changes.values()].reduce((former, change) => change(former), text)

/** Applies all changes that fit. A change that does not fit may fit after another one that makes room. */
function applyFitting(before: UnsentText, changes: Changes, { fits }: Sealing) {
  const whole = applyAll(before, changes)
  if (fits(whole)) return { text: whole, left: new Map<string, Change>() }
  let text = before
  const left = new Map(changes)
  for (let hasMoved = true; hasMoved;) {
    hasMoved = false
    for (const [part, change] of left) {
      const next = change(text)
      if (!fits(next)) continue
      text = next
      left.delete(part)
      hasMoved = true
    }
  }
  return { text, left }
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

/** Collects changes until `run` takes them and writes them together. Later changes start another batch. */
function inBatches(run: (take: () => Changes) => Promise<Changes>): UnsentStore['update'] {
  let batch: { changes: Map<string, Change>; left: Promise<Changes> } | undefined
  const begin = () => {
    const changes = new Map<string, Change>()
    const end = () => {
      if (batch === begun) batch = undefined
    }
    const take = () => {
      end()
      return changes
    }
    const begun = { changes, left: run(take).finally(end) }
    return begun
  }
  return async (change, part) => {
    batch ??= begin()
    const { changes, left } = batch
    const before = changes.get(part)
    changes.set(part, before ? (text) => change(before(text)) : change)
    return !(await left).has(part)
  }
}

/** Runs one update at a time: across all tabs if the browser has locks, otherwise within this tab. */
function createExclusion(): (work: () => Promise<Changes>) => Promise<Changes> {
  const locks = navigator.locks as LockManager | undefined
  if (locks) return async (work) => await locks.request(lockName, work)
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = last.then(work)
    last = run.catch(() => undefined)
    return run
  }
}

/** Keeps unsent text in memory only. */
export function createMemoryStore(): UnsentStore {
  let kept = nothing
  return {
    read: () => Promise.resolve(kept),
    update: (change) => {
      kept = change(kept)
      return Promise.resolve(true)
    },
    isFull: false,
    subscribe: () => () => undefined,
    close: () => {
      kept = nothing
    },
  }
}
