import { toastFailure } from '../../api/toast-failure.ts'
import { page } from '../../shared/lib/page.ts'
import { useAuth } from '../session/auth-context.ts'

/** Ends the session and leaves a fresh page behind. */
export function useSignOut(): () => Promise<void> {
  const { logout } = useAuth()
  return async () => {
    try {
      await logout()
      page.replace('/')
    } catch (error) {
      toastFailure('Logout failed', error)
    }
  }
}
