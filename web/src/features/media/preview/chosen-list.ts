import { createListeners } from '@sumlock/sync/listeners'
import type { ChosenFiles } from '../choose-files.ts'
import { mediaLimits, mostFiles } from '../media-limits.ts'
import { outgoingMedia } from '../outgoing-media.ts'
import type { SealingChoice } from '../outgoing-media.ts'
import { fileKind } from '../prepare/file-kind.ts'
import { MediaRefusedError } from '../prepare/media-refused-error.ts'
import type { PreparedMedia } from '../prepare/prepared-media.ts'
import { createQuestion } from '../sender-question.ts'
import type { OpenQuestion, SenderQuestion } from '../sender-question.ts'

/** Files of more bytes in all are prepared only when they are sent, because prepared films are held in memory. */
const maxPreparedBytes = 100_000_000
/** A larger picture is shown only once it is prepared, because the browser would decode all of it. */
const maxShownBytes = 20_000_000

export interface ChosenItem {
  readonly key: number
  readonly file: Blob
  /** The value is null until the first bytes are read. */
  readonly kind: 'picture' | 'film' | null
  readonly caption: string
  /** These object URLs show the file large and small. */
  readonly url: string | null
  readonly stillUrl: string | null
  readonly prepared: PreparedMedia | null
  /** This sentence says why the file cannot be sent. */
  readonly refusal: string | null
  readonly question: SenderQuestion
  readonly asked: OpenQuestion | null
}

export interface ChosenListOptions {
  chosen: ChosenFiles
  isMultiple: boolean
  sealing: SealingChoice
}

const changedTo = (items: readonly ChosenItem[], key: number, change: Partial<ChosenItem>) =>
  items.map((item) => (item.key === key ? { ...item, ...change } : item))

function release({ url, stillUrl }: ChosenItem): void {
  for (const one of [url, stillUrl]) if (one) URL.revokeObjectURL(one)
}

/** Holds the files of the preview in the order in which they will be sent, and checks each of them. */
export function createChosenList({ chosen, isMultiple, sealing }: ChosenListOptions) {
  const { files, from, caption = '' } = chosen
  const limit = mediaLimits[from]
  const changed = createListeners<[]>()
  const taken = files.slice(0, isMultiple ? mostFiles : 1)
  let items: readonly ChosenItem[] = taken.map((file, key) => ({
    ...{ key, file, kind: null, caption, url: null, stillUrl: null, prepared: null, refusal: null },
    ...{ question: createQuestion(), asked: null },
  }))
  let preparedBytes = 0
  /** Counts how often the preview was opened and closed, so that a late result is dropped. */
  let opening = 0
  let isHandedOver = false

  const set = (next: readonly ChosenItem[]) => {
    items = next
    changed.emit()
  }
  const find = (key: number) => items.find((item) => item.key === key)
  const patch = (key: number, change: Partial<ChosenItem>) => set(changedTo(items, key, change))
  const refuse = (key: number, refusal: string) => patch(key, { refusal, url: null })

  const identify = async ({ key, file }: ChosenItem, isCurrent: () => boolean) => {
    const kind = await fileKind(file)
    if (!isCurrent() || find(key)?.file !== file) return
    if (kind !== 'film' && kind !== 'picture') return refuse(key, new MediaRefusedError(kind).message)
    if (kind === 'film' && !limit.takesFilms)
      return refuse(key, new MediaRefusedError('not_a_picture').message)
    if (file.size > limit.bytes)
      return refuse(key, `This file is larger than ${limit.text}. Choose a smaller one.`)
    const isShown = kind === 'picture' && file.size <= maxShownBytes
    patch(key, { kind, url: isShown ? URL.createObjectURL(file) : null })
  }
  const prepare = async ({ key, file, question }: ChosenItem, isCurrent: () => boolean) => {
    if (preparedBytes + file.size > maxPreparedBytes) return
    preparedBytes += file.size
    try {
      const prepared = await outgoingMedia(file, { ...sealing, ask: question.ask }).prepare()
      const item = find(key)
      if (!isCurrent() || item?.file !== file) return
      const stillUrl = prepared.thumb && URL.createObjectURL(prepared.thumb)
      const isLate = item.kind === 'picture' && !item.url && prepared.file instanceof Blob
      patch(key, { prepared, stillUrl, ...(isLate && { url: URL.createObjectURL(prepared.file as Blob) }) })
    } catch (error) {
      if (!isCurrent() || find(key)?.file !== file || !(error instanceof MediaRefusedError)) return
      // The upload tries this again.
      if (error.reason !== 'not_prepared') refuse(key, error.message)
    }
  }
  const check = async (list: readonly ChosenItem[]) => {
    const own = opening
    const isCurrent = () => own === opening
    await Promise.all(list.map((item) => identify(item, isCurrent)))
    for (const { key } of list) {
      const item = find(key)
      if (!isCurrent() || !item?.kind) continue
      const preparing = prepare(item, isCurrent)
      // A film may wait for an answer, and the files behind it do not.
      if (item.kind === 'picture') await preparing
    }
  }

  return {
    get: () => items,
    subscribe: changed.add,
    /** Counts the chosen files that are not in the list, because too many were chosen. */
    leftOut: files.length - taken.length,
    /** Checks all files while the preview is open. */
    open(): void {
      opening += 1
      preparedBytes = 0
      for (const { key, question } of items)
        question.subscribe(() => find(key) && patch(key, { asked: question.get() }))
      void check(items)
    },
    close(): void {
      opening += 1
      for (const item of items) {
        release(item)
        if (!isHandedOver) item.question.get()?.answer(false)
      }
      items = items.map((item) => ({
        ...item,
        kind: null,
        url: null,
        stillUrl: null,
        prepared: null,
        refusal: null,
      }))
    },
    setCaption: (key: number, text: string): void => patch(key, { caption: text }),
    /** Moves a file by one place, to the front (-1) or to the end (1). */
    move(key: number, by: -1 | 1): void {
      const from = items.findIndex((item) => item.key === key)
      const [moved, other] = [items[from], items[from + by]]
      if (moved && other) set(items.map((item) => (item === moved ? other : item === other ? moved : item)))
    },
    remove(key: number): void {
      const item = find(key)
      if (!item) return
      release(item)
      item.question.get()?.answer(false)
      set(items.filter((one) => one !== item))
    },
    /** Puts an edited picture in the place of the chosen one. */
    replace(key: number, file: Blob): void {
      const item = find(key)
      if (!item) return
      release(item)
      patch(key, { file, kind: null, url: null, stillUrl: null, prepared: null, refusal: null })
      void check(items.filter((one) => one.key === key))
    },
    refuse,
    /** Returns the files to send. Their questions stay open in the chat. */
    handOver(): readonly ChosenItem[] {
      isHandedOver = true
      return items.filter(({ refusal }) => refusal === null)
    },
  }
}

export type ChosenList = ReturnType<typeof createChosenList>
