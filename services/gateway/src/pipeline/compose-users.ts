import { listedAccount } from '@sumlock/contracts/admin-routes'
import type { ListedUser } from '@sumlock/contracts/admin-routes'
import { z } from 'zod'
import type { Context } from '../context.ts'

const authResponse = z.array(listedAccount)

/**
 * Completes auth's page of accounts for an admin, by one call to billing and one to messaging. Throws when one of them does not
 * answer: an admin must not take a default value for a fact.
 */
export async function composeUsers(ctx: Context, body: Buffer, adminId: string): Promise<string> {
  const accounts = authResponse.parse(JSON.parse(body.toString()))
  const userIds = accounts.map(({ id }) => id)
  const [entitlements, activities] = await Promise.all([
    ctx.entitlementsOf(userIds),
    ctx.activitiesOf(userIds, adminId),
  ])
  const users = accounts.map((account, index): ListedUser => {
    const { subscriptionType = 'free', subscriptionExpiresAt = null } = entitlements[index] ?? {}
    const { dailyMessageCount = 0, conversations = [] } = activities[index] ?? {}
    return { ...account, subscriptionType, subscriptionExpiresAt, dailyMessageCount, conversations }
  })
  return JSON.stringify(users)
}
