import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { WholeUser } from '@sumlock/contracts/user'
import { useAuth } from './auth-context.ts'

/**
 * Returns the signed-in person; null if nobody is signed in, or while discreet mode hides the account because the
 * session is locked.
 */
export function useWholeUser(): WholeUser | null {
  const { user } = useAuth()
  return user && isWholeUser(user) ? user : null
}
