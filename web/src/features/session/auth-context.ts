import type { User } from '@sumlock/contracts/user'
import { createContext, useContext } from 'react'
import type { ApiError } from '../../api/client.ts'
import type { Credentials, Registration } from './session-api.ts'

export interface AuthContextValue {
  user: User | null
  isLoading: boolean
  error: ApiError | null
  /** True if the server has answered that nobody is signed in; false while it cannot be reached. */
  isSignedOut: boolean
  /** Rejects with the ApiError, as `register` and `logout` do. */
  login: (credentials: Credentials) => Promise<User>
  register: (registration: Registration) => Promise<User>
  /** `onEnded` is called when the session has ended, before the account's traces are removed from this device. */
  logout: (onEnded?: () => void) => Promise<void>
  /** Fetches the user again; resolves to null if that fails. */
  refresh: () => Promise<User | null>
  /** Marks the cached user as unlocked after a right entry, without a fetch. */
  markUnlocked: (until: string) => void
}

export const AuthContext = createContext<AuthContextValue | null>(null)

export function useAuth(): AuthContextValue {
  const value = useContext(AuthContext)
  if (!value) throw new Error('useAuth must be used within an AuthProvider')
  return value
}
