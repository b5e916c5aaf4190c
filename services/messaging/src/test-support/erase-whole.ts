import type { Context } from '../context.ts'
import { erasePart } from '../use-cases/erase-person.ts'
import type { PurgeProgress } from '../use-cases/erase-person.ts'

/** Does all parts of a job of messaging at once. */
export async function eraseWhole(ctx: Context, userId: string): Promise<void> {
  let progress: PurgeProgress | undefined
  do progress = await erasePart(ctx, { subject: userId, ...(progress && { progress }) })
  while (progress)
}
