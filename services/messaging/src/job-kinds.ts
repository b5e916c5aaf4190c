import type { Job } from '@sumlock/service-kit/job-store'
import type { JobKind } from '@sumlock/service-kit/jobs'
import type { Context } from './context.ts'
import { clearPart } from './use-cases/clear-conversations.ts'
import { emptyPart } from './use-cases/empty-for-both.ts'
import type { EmptyingProgress } from './use-cases/empty-for-both.ts'
import { beginErasing, erasePart } from './use-cases/erase-person.ts'
import type { PurgeProgress } from './use-cases/erase-person.ts'

/** These jobs run in parts and continue after a restart. */
export const jobKinds = (ctx: Context) => ({
  /** The subject is a person. */
  purge: {
    begin: (job) => beginErasing(ctx, job),
    part: (job) => erasePart(ctx, job),
  } satisfies JobKind<object, PurgeProgress>,
  /** The subject is a person. The job stores no progress, because the rows that remain to be cleared show it. */
  clear: {
    part: async ({ subject: userId, request: { resetAt } }: Job<{ resetAt: Date }>) =>
      (await clearPart(ctx, { userId, resetAt })) ? {} : undefined,
  },
  /** The subject is the key of one of the conversation's two rows. */
  empty: {
    part: (job) => emptyPart(ctx, job),
  } satisfies JobKind<object, EmptyingProgress>,
})
