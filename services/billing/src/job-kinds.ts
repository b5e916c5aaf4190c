import type { JobKind } from '@sumlock/service-kit/jobs'
import type { Context } from './context.ts'
import { acknowledgePurge, forgetPart } from './use-cases/forget-person.ts'
import type { Purge, PurgeProgress } from './use-cases/forget-person.ts'

/** The work of billing that lasts. */
export const jobKinds = (ctx: Context) => ({
  /** About a person. */
  purge: {
    part: (job) => forgetPart(ctx, job),
    end: (job, session) => acknowledgePurge(ctx, job, session),
    ended: ctx.outbox.kick,
  } satisfies JobKind<Purge, PurgeProgress>,
})
