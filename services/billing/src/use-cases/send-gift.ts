import { randomUUID } from 'node:crypto'
import { noticeRequested } from '@sumlock/contracts/auth-events'
import { limits } from '@sumlock/contracts/limits'
import { sealNotice } from '@sumlock/service-kit/seal-notice'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { formatUpgradeCode } from '../domain/upgrade-code.ts'

/** Requests the mail with the code of a paid gift, once. Does nothing for a gift in any other state. */
export async function sendGift(ctx: Context, giftId: string): Promise<void> {
  await transact(ctx.connection, async (session) => {
    const gift = await ctx.gifts.byId(giftId, session)
    if (!gift?.recipientEmail || !(await ctx.gifts.move(giftId, ['paid'], { status: 'sent' }, session)))
      return
    const noticeId = randomUUID()
    const code = formatUpgradeCode(ctx.codes.codeOf(gift))
    const sealed = sealNotice(
      {
        channel: 'mail',
        template: 'gift',
        to: gift.recipientEmail,
        code,
        giftMessage: gift.giftMessage ?? '',
        link: `${ctx.publicOrigin}/settings`,
      },
      noticeId,
      ctx.noticeKey,
    )
    const expiresAt = new Date(ctx.clock.nowMs() + limits.noticeLifetimeSeconds * 1000).toISOString()
    await ctx.outbox.add(session, noticeRequested, { noticeId, expiresAt, sealed })
  })
  ctx.outbox.kick()
}
