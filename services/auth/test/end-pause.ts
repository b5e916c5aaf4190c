import { withDatabase } from '@sumlock/testing/database'
import type { Person } from '@sumlock/testing/people'
import type { RunningStack } from '@sumlock/testing/shared-stack'

/**
 * Ends the second after a wrong PIN. On a busy machine, the next entry may give up while it waits for its turn, and is then
 * answered like a wrong one.
 */
export const endPause = (stack: RunningStack, { user }: Pick<Person, 'user'>) =>
  withDatabase(stack, 'auth', (database) =>
    database
      .collection<{ _id: string }>('unlock_budgets')
      .updateOne({ _id: user.id }, { $set: { 'turn.freeAt': new Date(0) } }),
  )
