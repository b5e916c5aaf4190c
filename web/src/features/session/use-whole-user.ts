import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { WholeUser } from '@sumlock/contracts/user'
import { useAuth } from './auth-context.ts'

/** The signed-in person, unless discreet mode hides the account while the session is locked. */
export function useWholeUser(): WholeUser | null {
  const { user } = useAuth()
  return user && isWholeUser(user) ? user : null
}
