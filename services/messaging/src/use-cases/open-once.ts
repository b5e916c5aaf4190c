import { conversationStateChanged } from '@sumlock/contracts/messaging-events'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import { unavailable } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import { isShownTo } from '../domain/act.ts'
import { alreadyOpened, noSuchMessage } from '../domain/errors.ts'
import { keyInUrl } from '../domain/media.ts'
import { pairOf } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { isReadFor, toMessage } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { isReading } from '../domain/once.ts'
import type { OnceReader } from '../domain/once.ts'
import { endWithoutReading } from '../domain/vanishing.ts'
import { raiseVersion } from './apply-act.ts'

const readMs = limits.openOnceMinutes * 60_000

/** A session of this person asks for a message. */
export interface OpenInput {
  messageId: string
  userId: string
  sessionId: string
  /** Null in the token of an auth that does not say it yet. */
  unlockedAt: Date | null
}

/**
 * Opens a message for the session of its recipient that asks first. Throws 404 for everybody else, as if the message did
 * not exist. The same session gets the same answer again until it is locked or its time is over.
 */
export async function openOnce(ctx: Context, input: OpenInput): Promise<Message> {
  const { messageId, userId, sessionId, unlockedAt } = input
  if (!unlockedAt) throw unavailable('the time of the unlock')
  const found = await ctx.messages.once(messageId)
  const member = found && (await ctx.memberList.of(userId, found.conversationId))
  if (!member) throw noSuchMessage()
  const statuses = await ctx.entitlementStore.statusesOf(pairOf(member))
  const isShown = [...statuses.values()].every(({ showsRead }) => showsRead !== false)
  const by = { sessionId, unlockedAt }
  const { message, isNew } = await ctx.acting.run(member.conversationId, () =>
    openFor(ctx, { messageId, member, by, isShown }),
  )
  if (isNew) ctx.outbox.kick()
  return message
}

interface Asked {
  messageId: string
  member: MemberRecord
  by: OnceReader
  /** Both members show what they have read. */
  isShown: boolean
}

const openFor = (ctx: Context, { messageId, member, by, isShown }: Asked) =>
  transact(ctx.connection, async (session) => {
    const record = await ctx.messages.once(messageId, session)
    const { own, other } = await ctx.memberVersions.both(session, member)
    if (!record || !canOpen(own, record)) throw noSuchMessage()
    const now = ctx.clock.now()
    if (isReading(record, by, now)) return { message: opened(own, record), isNew: false }
    if (record.open || !record.vanishAt || record.vanishAt <= now) throw alreadyOpened()

    const isTold = isShown && other?.isBlocked !== true
    const version = isTold
      ? await raiseVersion(ctx, session, own, isShownTo(other, record))
      : await openSilently(ctx, session, own, record)
    const changes = {
      ...{ open: { isTold, by }, vanishAt: new Date(now.getTime() + readMs) },
      ...(version === undefined ? {} : { version }),
    }
    if (!(await ctx.messages.open(session, record, changes))) throw alreadyOpened()
    return { message: opened(own, { ...record, ...changes }), isNew: true }
  })

/** Who has not accepted a request gives no sign. */
const canOpen = ({ personId, isRequest, clearedSeq }: MemberRecord, record: MessageRecord): boolean =>
  record.senderId !== personId && !isRequest && !record.isHidden && record.seq > clearedSeq

/**
 * Only the reader's devices are told. The version of the conversation stays, because the sender would see a gap in it, and
 * so does the sender's storage, until the message would have been erased without an opening.
 */
async function openSilently(
  ctx: Context,
  session: ClientSession,
  own: MemberRecord,
  record: MessageRecord,
): Promise<undefined> {
  const key = keyInUrl(record.mediaUrl ?? '')
  if (key !== undefined)
    await ctx.media.countUntil([{ key, countedUntil: endWithoutReading(record) }], session)
  await ctx.memberVersions.noteUnnumbered(session, own)
  const { conversationId, personId: userId } = own
  await ctx.outbox.add(session, conversationStateChanged, { conversationId, userId })
}

/** The reader alone is shown the content, and the end of the reading. */
const opened = (own: MemberRecord, record: MessageRecord): Message => ({
  ...toMessage(record, isReadFor(own, record)),
  ...(record.vanishAt ? { vanishAt: record.vanishAt.toISOString() } : {}),
})

/** Ends the reading of the session that opened a message, which is then erased. */
export async function closeOnce(
  ctx: Context,
  { messageId, sessionId }: Pick<OpenInput, 'messageId' | 'sessionId'>,
): Promise<void> {
  if (!(await ctx.messages.close(messageId, sessionId, ctx.clock.now()))) throw noSuchMessage()
}
