import type { Context } from '../context.ts'
import { objectPathOf } from '../domain/media.ts'
import type { MediaRow } from '../domain/media.ts'
import { memberKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import type { MessageRecord } from '../domain/message.ts'
import { isReading } from '../domain/once.ts'
import { isOver } from '../domain/vanishing.ts'

/** A session of the person reads the file with this key. */
export interface MediaReader {
  key: string
  userId: string
  sessionId: string
  unlockedAt: Date | null
}

/** The file of this row is stored in the bucket. */
export type StoredMedia = MediaRow & { storeKey: string }

/**
 * Returns the row of each reader's file, or null. A file is shown to the members who are shown its message and, before the
 * message exists, to its uploader; everybody else gets null. Makes three queries for any number of readers.
 */
export async function shownMedia(
  ctx: Context,
  readers: readonly MediaReader[],
): Promise<(StoredMedia | null)[]> {
  const now = ctx.clock.now()
  const rows = await ctx.media.byKeys([...new Set(readers.map(({ key }) => key))])
  const bounds = [...rows.values()].flatMap(({ bound }) => bound ?? [])
  const keyOf = ({ key, userId }: MediaReader) => {
    const bound = rows.get(key)?.bound
    return bound ? [memberKey(userId, bound.conversationId)] : []
  }
  const [members, messages] = await Promise.all([
    ctx.memberList.byKeys(readers.flatMap(keyOf)),
    ctx.messages.byNames(bounds),
  ])
  const memberOfKey = new Map(members.map((member) => [member._id, member]))
  return readers.map((reader) => {
    const row = rows.get(reader.key)
    const own = keyOf(reader).map((key) => memberOfKey.get(key))[0]
    const message = messages.find((one) => row?.bound && isNamed(one, row.bound))
    const isOverNow = message !== undefined && isOverFor(reader, message, now)
    // guard: vanished-media
    return row && isStored(row) && !isOverNow && isShown(row, own, message, reader.userId) ? row : null
  })
}

/** The file of a message that opens once is shown to the session that opened it, and not to its sender. */
const isOverFor = (reader: MediaReader, message: MessageRecord, now: Date): boolean =>
  message.isOnce ? !isReading(message, reader, now) : isOver(reader.userId, message, now)

const isStored = (row: MediaRow): row is StoredMedia => row.storeKey !== undefined

const isNamed = (message: MessageRecord, name: NonNullable<MediaRow['bound']>): boolean =>
  message.conversationId === name.conversationId &&
  message.senderId === name.senderId &&
  message.clientMessageId === name.clientMessageId

function isShown(
  row: MediaRow,
  own: MemberRecord | undefined,
  message: MessageRecord | undefined,
  userId: string,
): boolean {
  // guard: media-for-members
  if (row.status === 'stored') return row.ownerId === userId
  if (row.status !== 'bound' || !own) return false
  if (!message) return row.ownerId === userId
  const isHidden = message.isHidden === true && message.senderId !== userId
  return message.mediaUrl === objectPathOf(row._id) && message.seq > own.clearedSeq && !isHidden
}
