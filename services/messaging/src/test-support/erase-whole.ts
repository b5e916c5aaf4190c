import type { Context } from '../context.ts'
import { erasePart } from '../use-cases/erase-person.ts'
import type { PurgeProgress } from '../use-cases/erase-person.ts'

/** Does at once what a job of messaging does in parts. */
export async function eraseWhole(ctx: Context, userId: string): Promise<void> {
  let progress: PurgeProgress | undefined
  do progress = await erasePart(ctx, { subject: userId, ...(progress && { progress }) })
  while (progress)
}
