import type { MessageBody } from '@sumlock/sealing/message'

/** A body whose shape was checked. */
export interface OpenedBody extends MessageBody {
  /** As the sender's client wrote it: checked where it is shown (`toMediaInfo`). */
  media?: unknown
}

/** The last moment that a date can hold. */
const latestTimeMs = 8.64e15

/** An opened body, which its sender may have made with any client; null when it has another shape. */
export function toMessageBody(opened: unknown): OpenedBody | null {
  if (typeof opened !== 'object' || opened === null) return null
  const { t, at, after, media } = opened as Record<string, unknown>
  if (typeof at !== 'number' || !(at >= 0 && at <= latestTimeMs)) return null
  if (t !== undefined && typeof t !== 'string') return null
  const body: OpenedBody = { at }
  if (t !== undefined) body.t = cleanText(t)
  const { by, id } = (after ?? {}) as Record<string, unknown>
  if (typeof by === 'string' && typeof id === 'string') body.after = { by, id }
  if (media !== undefined) body.media = media
  return body
}

/** Without lone surrogates, and without control characters but tab and newline. */
export const cleanText = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- these are the characters to remove
  text.toWellFormed().replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
