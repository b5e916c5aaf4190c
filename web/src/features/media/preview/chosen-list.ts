import { createListeners } from '@sumlock/sync/listeners'
import type { ChosenFiles } from '../choose-files.ts'
import { mediaLimits, mostFiles } from '../media-limits.ts'
import type { SealingChoice } from '../outgoing-media.ts'
import { createQuestion } from '../sender-question.ts'
import { createChecks } from './check-chosen.ts'
import type { ChosenItem } from './chosen-item.ts'

export interface ChosenListOptions {
  chosen: ChosenFiles
  isMultiple: boolean
  sealing: SealingChoice
}

const unchecked = { kind: null, url: null, stillUrl: null, prepared: null, refusal: null } as const

const changedTo = (items: readonly ChosenItem[], key: number, change: Partial<ChosenItem>) =>
  items.map((item) => (item.key === key ? { ...item, ...change } : item))

function releaseUrl(url: string | null): void {
  if (url) URL.revokeObjectURL(url)
}

function release({ url, stillUrl }: ChosenItem): void {
  for (const one of [url, stillUrl]) releaseUrl(one)
}

/** Ends a file that is not sent. */
function drop(item: ChosenItem): void {
  release(item)
  item.question.get()?.answer(false)
}

/** Holds the files of the preview in the order in which they will be sent, and checks each of them. */
export function createChosenList({ chosen, isMultiple, sealing }: ChosenListOptions) {
  const { files, from, caption = '', isOnce = false } = chosen
  const changed = createListeners<[]>()
  const taken = files.slice(0, isMultiple ? mostFiles : 1)
  let items: readonly ChosenItem[] = taken.map((file, key) => ({
    ...{ key, file, caption, isOnce, ...unchecked },
    ...{ question: createQuestion(), asked: null },
  }))
  let isHandedOver = false

  const set = (next: readonly ChosenItem[]) => {
    items = next
    changed.emit()
  }
  const find = (key: number) => items.find((item) => item.key === key)
  const patch = (key: number, change: Partial<ChosenItem>) => set(changedTo(items, key, change))
  const refuse = (key: number, refusal: string) => {
    const item = find(key)
    if (item) release(item)
    patch(key, { refusal, url: null, stillUrl: null })
  }
  const checks = createChecks({ ...{ find, patch, refuse, sealing }, limit: mediaLimits[from] })

  return {
    get: () => items,
    subscribe: changed.add,
    /** Counts the chosen files that are not in the list, because too many were chosen. */
    leftOut: files.length - taken.length,
    /** Checks all files while the preview is open. */
    open(): void {
      checks.restart()
      for (const { key, question } of items)
        question.subscribe(() => find(key) && patch(key, { asked: question.get() }))
      void checks.run(items)
    },
    close(): void {
      checks.restart()
      if (!isHandedOver) for (const item of items) drop(item)
      items = items.map((item) => ({ ...item, ...unchecked }))
    },
    setCaption: (key: number, text: string): void => patch(key, { caption: text }),
    setOnce: (key: number, isOnce: boolean): void => patch(key, { isOnce }),
    /** Moves a file by one place, earlier (-1) or later (1). */
    move(key: number, by: -1 | 1): void {
      const from = items.findIndex((item) => item.key === key)
      const [moved, other] = [items[from], items[from + by]]
      if (moved && other) set(items.map((item) => (item === moved ? other : item === other ? moved : item)))
    },
    remove(key: number): void {
      const item = find(key)
      if (!item) return
      drop(item)
      set(items.filter((one) => one !== item))
    },
    /** Puts an edited picture in the place of the chosen one. */
    replace(key: number, file: Blob): void {
      const item = find(key)
      if (!item) return
      release(item)
      patch(key, { file, ...unchecked })
      void checks.run(items.filter((one) => one.key === key))
    },
    refuse,
    /** Returns the files to send. Their bubbles take over the open questions and the pictures. */
    handOver(): readonly ChosenItem[] {
      isHandedOver = true
      const sent = items.filter(({ refusal }) => refusal === null)
      const unused = sent.map((item) => (item.prepared ? item.url : item.stillUrl))
      // Each release is a call to the browser's process, which the bubbles do not wait for.
      setTimeout(() => unused.forEach(releaseUrl))
      return sent
    },
  }
}
