import type { AdminActionView } from '@sumlock/contracts/admin-action-routes'
import type { ActionQuery, AdminActionStore } from './admin-actions.ts'
import { AppError } from './app-error.ts'
import type { Clock } from './clock.ts'

export interface ActionReader {
  readonly adminActions: Pick<AdminActionStore, 'add' | 'page'>
  readonly clock: Clock
  /** Resolves with usernames by id. An id without an account has no entry. */
  usernamesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/**
 * Returns a page of the administrators' actions with the people's present usernames, and records that they were
 * shown. Throws `not_found` if the row `before` no longer exists.
 */
export async function listAdminActions(
  { adminActions, clock, usernamesOf }: ActionReader,
  { adminId, ...query }: ActionQuery & { adminId: string },
): Promise<AdminActionView[]> {
  const rows = await adminActions.page(query)
  if (!rows)
    throw new AppError('not-found', 'not_found', 'The list has changed. Please load it again from the start.')
  const shown = [...new Set(rows.flatMap((row) => [row.adminId, ...row.personIds]))]
  await adminActions.add({ adminId, action: 'actions-listed', personIds: shown }, clock.now())
  const names = await usernamesOf(shown)
  const nameOf = (userId: string) => names.get(userId) ?? 'Unknown User'
  return rows.map((row) => ({
    id: row._id,
    at: row.at.toISOString(),
    admin: nameOf(row.adminId),
    action: row.action,
    people: row.personIds.map(nameOf),
    peopleCount: row.peopleCount,
    ...(row.days === undefined ? {} : { days: row.days }),
  }))
}
