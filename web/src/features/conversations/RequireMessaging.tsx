import { useContext } from 'react'
import { Outlet } from 'react-router-dom'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { SessionContext } from '../../page.ts'

/** Wraps the screens that need a session, and shows a spinner until it is open. */
export function RequireMessaging() {
  return useContext(SessionContext) ? <Outlet /> : <FullPageSpinner />
}
