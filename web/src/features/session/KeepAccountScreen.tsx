import { useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { dateText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card, CenteredPage } from '../../shared/ui/Card.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { useAuth } from './auth-context.ts'
import { useKeepAccountMutation } from './session-api.ts'
import { usePage } from '../../page.ts'

/** Replaces every screen of an account that is scheduled for deletion. */
export function KeepAccountScreen({ scheduledFor }: { scheduledFor: string }) {
  const { toastFailure } = usePage().toasts
  const { logout } = useAuth()
  const [keep, { isLoading }] = useKeepAccountMutation()
  const [failure, setFailure] = useState<string | null>(null)

  const keepIt = async () => {
    setFailure(null)
    try {
      await keep().unwrap()
    } catch (error) {
      setFailure(sentenceOf(error, 'Please try again.'))
    }
  }
  const signOut = async () => {
    try {
      await logout()
    } catch (error) {
      toastFailure('Logout failed', error)
    }
  }
  return (
    <CenteredPage>
      <Card>
        <h1 className="text-lg font-semibold">Your account will be deleted</h1>
        <p className="mt-1 text-ink-2">
          You asked for it. On {dateText(scheduledFor)} the account and everything in it will be deleted.
          Until then you can keep it.
        </p>
        {failure && (
          <div className="mt-4">
            <Notice kind="error">{failure}</Notice>
          </div>
        )}
        <Button className="mt-4 w-full" isBusy={isLoading} onClick={() => void keepIt()}>
          Keep my account
        </Button>
        <Button variant="secondary" className="mt-2 w-full" onClick={() => void signOut()}>
          Logout
        </Button>
      </Card>
    </CenteredPage>
  )
}
