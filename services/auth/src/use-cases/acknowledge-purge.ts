import { purgeOwners } from '@sumlock/contracts/internal-routes'
import type { ServiceName } from '@sumlock/contracts/route'
import type { Context } from '../context.ts'

/** Records that the calling service has erased its data about a purged person. */
export async function acknowledgePurge(
  ctx: Pick<Context, 'purgedIds' | 'clock'>,
  { userId, service }: { userId: string; service: ServiceName | undefined },
): Promise<{ ok: true }> {
  const owner = purgeOwners.find((one) => one === service)
  if (owner) await ctx.purgedIds.acknowledge(userId, owner, ctx.clock.now())
  return { ok: true }
}
