import type { JobKind } from '@sumlock/service-kit/jobs'
import type { Context } from './context.ts'
import { beginForgetting, forgetPart } from './use-cases/forget-person.ts'
import type { PurgeProgress } from './use-cases/forget-person.ts'

/** The lasting work of billing. */
export const jobKinds = (ctx: Context) => ({
  /** The subject is a person. */
  purge: {
    begin: (job) => beginForgetting(ctx, job),
    part: (job) => forgetPart(ctx, job),
  } satisfies JobKind<object, PurgeProgress>,
})
