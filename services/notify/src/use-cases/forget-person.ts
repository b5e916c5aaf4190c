import type { Context } from '../context.ts'

/**
 * Removes the preferences of a person whose deletion auth confirms. Deliveries need no change, because they contain no user
 * id.
 */
export async function forgetPerson(
  { purges, preferences }: Pick<Context, 'purges' | 'preferences'>,
  userId: string,
): Promise<void> {
  if (!(await purges.confirm(userId))) return
  await preferences.remove(userId)
  await purges.acknowledge(userId)
}
