import type { Sealed } from '@sumlock/contracts/sealed'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { isDeletedByBoth, isOwnChange, isShownTo, isTooOld, isUnchangeable } from '../domain/act.ts'
import type { EditedContent } from '../domain/act.ts'
import type { AccountStatus } from '../domain/entitlement.ts'
import {
  actReplaced,
  actTooLate,
  contentMissing,
  keysChanged,
  messageUnsent,
  noSuchMessage,
  personGone,
  tooManyEdits,
} from '../domain/errors.ts'
import { pairOf } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { toMessageFor } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { slotOf } from '../domain/slot.ts'
import { asShownTo } from '../domain/vanishing.ts'
import { nameOf, raiseVersion } from './apply-act.ts'
import type { ActInput, AppliedAct } from './apply-act.ts'
import { hasFormerKey } from './has-former-key.ts'
import { memberOf } from './member-of.ts'

export interface EditInput extends ActInput {
  clientMessageId: string
  /** The caller was shown the content of this act, or of the message itself. */
  replaces: string | null
  content: string | undefined
  sealed: Sealed | undefined
}

/** Replaces the text or caption of a message of the caller. The earlier content is kept nowhere. */
export async function editMessage(ctx: Context, input: EditInput): Promise<AppliedAct> {
  const member = await memberOf(ctx, input.userId, input.conversationId)
  // Who has not accepted a request gives no sign.
  if (input.target.by !== input.userId || member.isRequest) throw noSuchMessage()
  const statuses = await ctx.entitlements.statusesOf(pairOf(member))
  const applied = await ctx.acting.run(input.conversationId, () =>
    applyEdit(ctx, input, { member, statuses }),
  )
  if (applied.isNew) ctx.outbox.kick()
  return applied
}

const applyEdit = (
  ctx: Context,
  input: EditInput,
  { member, statuses }: { member: MemberRecord; statuses: readonly AccountStatus[] },
): Promise<AppliedAct> =>
  transact(ctx.connection, async (session) => {
    const record = await ctx.messages.named(session, nameOf(input))
    const { own, other } = await ctx.memberVersions.both(session, member)
    if (!record || record.seq <= own.clearedSeq || isDeletedByBoth(record)) throw noSuchMessage()
    const now = ctx.clock.now()
    const shown = asShownTo(input.userId, record, now)
    if (shown.edit?.id === input.clientMessageId)
      return { message: toMessageFor(own, record, now), isNew: false }
    refuse(ctx, { input, own, record, shown, statuses, now })
    const count = (shown.edit?.count ?? 0) + 1
    if (count > ctx.config.EDITS_PER_FREE_MESSAGE && count > (await editsAllowed(ctx, shown)))
      throw tooManyEdits()

    const isOwn = isOwnChange(other, record)
    const isShownToOther = !isOwn && isShownTo(other, record)
    await ctx.actCounts.count(input.userId, 'edit', now, session)
    const version = await raiseVersion(ctx, session, own, isShownToOther)
    const { content = '', sealed, clientMessageId: id } = input
    const edited: EditedContent = { content, ...(sealed && { sealed }), edit: { id, at: now, count } }
    if (isOwn) await ctx.messages.changeOwn(session, record, 'sender', { version, edited })
    else await ctx.messages.edit(session, record, { ...edited, version })
    const sender = { ...record.own?.sender, version, edited }
    return { message: toMessageFor(own, { ...record, own: { ...record.own, sender } }, now), isNew: true }
  })

interface Edited {
  input: EditInput
  own: MemberRecord
  record: MessageRecord
  /** This is the message as its sender is shown it. */
  shown: MessageRecord
  statuses: readonly AccountStatus[]
  now: Date
}

function refuse(ctx: Context, { input, own, record, shown, statuses, now }: Edited): void {
  if (isUnchangeable(shown)) throw messageUnsent(toMessageFor(own, record, now))
  if (input.replaces !== (shown.edit?.id ?? null)) throw actReplaced(toMessageFor(own, record, now))
  if (isTooOld(record, now)) throw actTooLate()
  if (statuses.some(({ isGone }) => isGone)) throw personGone()
  if (input.content === undefined && record.messageType === 'text') throw contentMissing()
  const sender = { senderId: own.personId, otherId: own.otherId, memberIds: pairOf(own) }
  if (input.sealed ? hasFormerKey(ctx, sender, input.sealed, statuses) : shown.sealed) throw keysChanged()
}

/** Returns how often a message can be edited: once if it was the free message of its day. */
async function editsAllowed(ctx: Context, { senderId, createdAt, ...name }: MessageRecord): Promise<number> {
  const [slot] = await ctx.slots.byIds([slotOf(senderId, createdAt)])
  const isFree = slot?.conversationId === name.conversationId && slot.clientMessageId === name.clientMessageId
  return isFree ? ctx.config.EDITS_PER_FREE_MESSAGE : ctx.config.EDITS_PER_MESSAGE
}
