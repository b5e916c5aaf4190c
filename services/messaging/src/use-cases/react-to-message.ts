import type { Sealed } from '@sumlock/contracts/sealed'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { isDeletedByBoth, isOwnChange, isShownTo, isUnchangeable, roleOf } from '../domain/act.ts'
import type { Reaction } from '../domain/act.ts'
import type { AccountStatus } from '../domain/entitlement.ts'
import {
  actReplaced,
  contentMissing,
  keysChanged,
  messageUnsent,
  noSuchMessage,
  personGone,
} from '../domain/errors.ts'
import { pairOf } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { toMessageFor } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { asShownTo } from '../domain/vanishing.ts'
import { nameOf, raiseVersion } from './apply-act.ts'
import type { ActInput, AppliedAct } from './apply-act.ts'
import { hasFormerKey } from './has-former-key.ts'
import { memberOf } from './member-of.ts'

export interface ReactionInput extends ActInput {
  clientMessageId: string
  /** The caller was shown the reaction of this act as their own, or none. */
  replaces: string | null
  /** Without content the reaction is taken back. */
  content: string | undefined
  sealed: Sealed | undefined
}

/** Sets the reaction of the caller to a message of either person. */
export async function reactToMessage(ctx: Context, input: ReactionInput): Promise<AppliedAct> {
  const member = await memberOf(ctx, input.userId, input.conversationId)
  // Who has not accepted a request gives no sign.
  if (member.isRequest) throw noSuchMessage()
  const statuses = await ctx.entitlements.statusesOf(pairOf(member))
  const applied = await ctx.acting.run(input.conversationId, () =>
    applyReaction(ctx, input, { member, statuses }),
  )
  if (applied.isNew) ctx.outbox.kick()
  return applied
}

const applyReaction = (
  ctx: Context,
  input: ReactionInput,
  { member, statuses }: { member: MemberRecord; statuses: readonly AccountStatus[] },
): Promise<AppliedAct> =>
  transact(ctx.connection, async (session) => {
    const record = await ctx.messages.named(session, nameOf(input))
    const { own, other } = await ctx.memberVersions.both(session, member)
    if (!record || !canSee(own, record)) throw noSuchMessage()
    const role = roleOf(input.userId, record)
    const now = ctx.clock.now()
    const shown = asShownTo(input.userId, record, now)
    const present = shown.reactions?.[role]
    const { content, sealed, clientMessageId: id } = input
    if (present?.id === id) return { message: toMessageFor(own, record, now), isNew: false }
    if (isUnchangeable(shown)) throw messageUnsent(toMessageFor(own, record, now))
    if (input.replaces !== (present?.id ?? null)) throw actReplaced(toMessageFor(own, record, now))
    if (statuses.some(({ isGone }) => isGone)) throw personGone()
    if (content === undefined ? !present : !isUnderPresentKeys(ctx, { input, own, shown, statuses }))
      throw content === undefined ? contentMissing() : keysChanged()

    const isOwn = isOwnChange(other, record)
    await ctx.actCounts.count(input.userId, 'edit', now, session)
    const version = await raiseVersion(ctx, session, own, !isOwn && isShownTo(other, record))
    const reaction: Reaction = { id, content: content ?? '', ...(sealed && { sealed }) }
    if (isOwn) await ctx.messages.changeOwn(session, record, role, { version, reaction })
    else await ctx.messages.react(session, record, role, { ...reaction, version })
    const changes = { ...record.own?.[role], version, reaction }
    return {
      message: toMessageFor(own, { ...record, own: { ...record.own, [role]: changes } }, now),
      isNew: true,
    }
  })

const canSee = ({ personId, clearedSeq }: MemberRecord, record: MessageRecord): boolean =>
  record.seq > clearedSeq && !(record.isHidden && record.senderId !== personId) && !isDeletedByBoth(record)

interface Keys {
  input: ReactionInput
  own: MemberRecord
  shown: MessageRecord
  statuses: readonly AccountStatus[]
}

/** A plain reaction is accepted on a plain message only. */
function isUnderPresentKeys(ctx: Context, { input, own, shown, statuses }: Keys): boolean {
  if (!input.sealed) return !shown.sealed
  const sender = { senderId: own.personId, otherId: own.otherId, memberIds: pairOf(own) }
  return !hasFormerKey(ctx, sender, input.sealed, statuses)
}
