import { usePage } from '../../page.ts'
import { useAuth } from '../session/auth-context.ts'

/** Returns a function that ends the session and replaces the page. */
export function useSignOut(): () => Promise<void> {
  const page = usePage()
  const { logout } = useAuth()
  return async () => {
    try {
      await logout(() => page.session?.close())
    } catch (error) {
      page.toasts.toastFailure('Logout failed', error)
    }
  }
}
