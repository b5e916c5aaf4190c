import type { JobKind } from '@sumlock/service-kit/jobs'
import type { Context } from './context.ts'
import { beginForgetting, forgetPart } from './use-cases/forget-person.ts'
import type { PurgeProgress } from './use-cases/forget-person.ts'

/** Defines the jobs of billing, which are stored and therefore continue after a restart. */
export const jobKinds = (ctx: Context) => ({
  /** The subject of the job is a user id. */
  purge: {
    begin: (job) => beginForgetting(ctx, job),
    part: (job) => forgetPart(ctx, job),
  } satisfies JobKind<object, PurgeProgress>,
})
