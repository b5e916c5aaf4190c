import { useContext } from 'react'
import { toastFailure } from '../../shared/ui/toast-failure.ts'
import { MessagingContext } from '../delivery/messaging-context.ts'
import { useAuth } from '../session/auth-context.ts'

/** Ends the session and replaces the page. */
export function useSignOut(): () => Promise<void> {
  const { logout } = useAuth()
  const messaging = useContext(MessagingContext)
  return async () => {
    try {
      await logout(() => messaging?.close())
    } catch (error) {
      toastFailure('Logout failed', error)
    }
  }
}
