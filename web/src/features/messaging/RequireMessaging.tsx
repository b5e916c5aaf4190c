import { useContext } from 'react'
import { Outlet } from 'react-router-dom'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { MessagingContext } from './messaging-context.ts'

/** Around the screens that send or receive. */
export function RequireMessaging() {
  return useContext(MessagingContext) ? <Outlet /> : <FullPageSpinner />
}
