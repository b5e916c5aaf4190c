import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { isShownTo, isTooOld, unsent } from '../domain/act.ts'
import { actTooLate, noSuchMessage } from '../domain/errors.ts'
import { keyInUrl } from '../domain/media.ts'
import type { MemberRecord } from '../domain/member.ts'
import { toMessageFor } from '../domain/message.ts'
import { nameOf, raiseVersion } from './apply-act.ts'
import type { ActInput, AppliedAct } from './apply-act.ts'
import { memberOf } from './member-of.ts'
import { storeEmptied } from './store-emptied.ts'

const notYetVisibleMs = 5

interface UnsendInput extends ActInput {
  /** The caller has uploaded this file for the message. */
  mediaUrl?: string | undefined
}

/**
 * Takes a message of the caller back for both members. If it is not stored yet, an empty message is stored under its id, so
 * that the original can never be stored. An erased message is taken back like others, because its sender must not notice
 * when it was read.
 */
export async function unsendMessage(ctx: Context, input: UnsendInput): Promise<AppliedAct> {
  const own = await memberOf(ctx, input.userId, input.conversationId)
  if (input.target.by !== input.userId) throw noSuchMessage()
  return ctx.acting.run(input.conversationId, () => unsendNamed(ctx, input, own))
}

async function unsendNamed(ctx: Context, input: UnsendInput, own: MemberRecord): Promise<AppliedAct> {
  const startedMs = performance.now()
  let isCounted = false
  while (performance.now() - startedMs < ctx.timeouts.storeMs) {
    const applied = await unsendStored(ctx, { ...input, isCounted }, own)
    if (applied) return applied
    // Who has not accepted a request has sent nothing in it.
    if (own.isRequest) throw noSuchMessage()
    // The act is counted before the empty message is stored, so that parallel ones cannot store too many.
    if (!isCounted) await ctx.actCounts.count(input.userId, 'unsend', ctx.clock.now())
    isCounted = true
    // The index may have the original already, although the majority has not acknowledged it yet.
    if (!(await storeEmptied(ctx, own, input.target.id))) await wait(notYetVisibleMs)
  }
  throw unavailable('messages', new Error('no attempt to take the message back succeeded in time'))
}

/** Resolves with undefined when no message is stored under this id. */
async function unsendStored(
  ctx: Context,
  input: UnsendInput & { isCounted: boolean },
  member: MemberRecord,
): Promise<AppliedAct | undefined> {
  const name = nameOf(input)
  const applied = await transact(ctx.connection, async (session) => {
    const record = await ctx.messages.named(session, name)
    if (!record) return undefined
    const { own, other } = await ctx.memberVersions.both(session, member)
    const now = ctx.clock.now()
    // An unstored message has no version until its act is counted.
    if (record.isUnsent && record.version !== undefined)
      return { message: toMessageFor(own, record, now), isNew: false }
    if (!record.isUnsent && isTooOld(record, now)) throw actTooLate()
    const isShownToOther = isShownTo(other, record)
    if (!input.isCounted && !record.isUnstored)
      await ctx.actCounts.count(input.userId, 'unsend', now, session)
    const version = await raiseVersion(ctx, session, own, isShownToOther)
    await ctx.messages.unsend(session, record, version)
    const file = record.isUnstored ? input.mediaUrl : record.mediaUrl
    if (file || record.isUnstored || record.isOnce || record.isVanished)
      await ctx.media.removeOfMessage(name, file ? keyInUrl(file) : undefined, session)
    return { message: toMessageFor(own, { ...unsent(record), version }, now), isNew: true }
  })
  if (applied?.isNew) ctx.outbox.kick()
  return applied
}
