import type { MessageBody } from '@sumlock/sealing/message'

/** Holds a body whose shape was checked. */
export interface OpenedBody extends MessageBody {
  /** The sender's client wrote this description of the media. `toMediaInfo` checks it where it is shown. */
  media?: unknown
}

/** A `Date` cannot represent a later time. */
const latestTimeMs = 8.64e15

/** Checks an opened body, which its sender may have made with any client; null if its shape is wrong. */
export function toMessageBody(opened: unknown): OpenedBody | null {
  if (typeof opened !== 'object' || opened === null) return null
  const { t, at, after, re, media } = opened as Record<string, unknown>
  if (typeof at !== 'number' || !(at >= 0 && at <= latestTimeMs)) return null
  if (t !== undefined && typeof t !== 'string') return null
  const body: OpenedBody = { at }
  if (t !== undefined) body.t = cleanText(t)
  const { by, id } = (after ?? {}) as Record<string, unknown>
  if (typeof by === 'string' && typeof id === 'string') body.after = { by, id }
  const answered = toReply(re)
  if (answered) body.re = answered
  if (media !== undefined) body.media = media
  return body
}

function toReply(value: unknown): OpenedBody['re'] {
  const { by, id, seq } = (value ?? {}) as Record<string, unknown>
  const isName = typeof by === 'string' && typeof id === 'string'
  return isName && Number.isSafeInteger(seq) && (seq as number) > 0
    ? { by, id, seq: seq as number }
    : undefined
}

/** Removes lone surrogates, and control characters except tab and newline. */
export const cleanText = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- these are the characters to remove
  text.toWellFormed().replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
