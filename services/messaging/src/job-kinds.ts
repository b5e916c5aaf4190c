import type { Job } from '@sumlock/service-kit/job-store'
import type { JobKind } from '@sumlock/service-kit/jobs'
import type { Context } from './context.ts'
import { clearPart } from './use-cases/clear-conversations.ts'
import { emptyPart } from './use-cases/empty-for-both.ts'
import type { EmptyingProgress } from './use-cases/empty-for-both.ts'
import { beginErasing, erasePart } from './use-cases/erase-person.ts'
import type { PurgeProgress } from './use-cases/erase-person.ts'

/** The work of messaging that lasts. */
export const jobKinds = (ctx: Context) => ({
  /** About a person. */
  purge: {
    begin: (job) => beginErasing(ctx, job),
    part: (job) => erasePart(ctx, job),
  } satisfies JobKind<object, PurgeProgress>,
  /** About a person. What is left says how far it came. */
  clear: {
    part: async ({ subject: userId, request: { resetAt } }: Job<{ resetAt: Date }>) =>
      (await clearPart(ctx, { userId, resetAt })) ? {} : undefined,
  },
  /** About a conversation. */
  empty: {
    part: (job) => emptyPart(ctx, job),
  } satisfies JobKind<object, EmptyingProgress>,
})
