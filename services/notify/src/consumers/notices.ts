import { on } from '@sumlock/bus/handler'
import { noticeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'
import { channelOf } from '../infrastructure/open-notice.ts'

/** Queues each notice once, even if it is received again: its id is the primary key of its delivery. */
export const noticeHandlers = (ctx: Context, onQueued: () => void) => [
  on(noticeRequested, async ({ data }) => {
    const now = ctx.clock.now()
    const isNew = await ctx.deliveries.add({
      _id: data.noticeId,
      channel: channelOf(data.sealed, data.noticeId, ctx.config.NOTICE_KEYS),
      sealed: data.sealed,
      state: 'queued',
      attempts: 0,
      dueAt: now,
      expiresAt: new Date(data.expiresAt),
      lastError: null,
      createdAt: now,
    })
    if (isNew) onQueued()
  }),
]
