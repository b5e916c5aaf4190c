import type { mediaLimits } from '../media-limits.ts'
import { outgoingMedia } from '../outgoing-media.ts'
import type { SealingChoice } from '../outgoing-media.ts'
import { fileKind } from '../prepare/file-kind.ts'
import { MediaRefusedError } from '../prepare/media-refused-error.ts'
import type { ChosenItem } from './chosen-item.ts'

/** Films of more bytes in all are prepared only when they are sent, because prepared films are held in memory. */
const maxFilmBytes = 100_000_000
/** A larger picture is shown only once it is prepared, because the browser would decode all of it. */
const maxShownBytes = 20_000_000

interface CheckOptions {
  find: (key: number) => ChosenItem | undefined
  patch: (key: number, change: Partial<ChosenItem>) => void
  refuse: (key: number, sentence: string) => void
  limit: (typeof mediaLimits)['gallery']
  sealing: SealingChoice
}

/** Finds out which of the chosen files can be sent, by preparing them. */
export function createChecks({ find, patch, refuse, limit, sealing }: CheckOptions) {
  let filmBytes = 0
  /** Counts how often the preview was opened and closed, so that a late result is dropped. */
  let opening = 0

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
  const prepare = async ({ key, kind, file, question }: ChosenItem, isCurrent: () => boolean) => {
    if (kind === 'film') {
      if (filmBytes + file.size > maxFilmBytes) return
      filmBytes += file.size
    }
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

  return {
    restart(): void {
      opening += 1
      filmBytes = 0
    },
    async run(items: readonly ChosenItem[]): Promise<void> {
      const own = opening
      const isCurrent = () => own === opening
      await Promise.all(items.map((item) => identify(item, isCurrent)))
      for (const { key } of items) {
        const item = find(key)
        if (!isCurrent() || !item?.kind) continue
        const preparing = prepare(item, isCurrent)
        // A film may wait for an answer, and the files behind it do not.
        if (item.kind === 'picture') await preparing
      }
    },
  }
}
