import type { Access } from '@sumlock/contracts/admin-action-routes'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { Navigate, useNavigate } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { dateAndTimeText } from '../../shared/lib/date-text.ts'
import { Notice } from '../../shared/ui/Notice.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { useAuth } from '../session/auth-context.ts'
import { SettingsGroup, SettingsRow } from './SettingsGroup.tsx'
import { useListAccessesQuery, useListGrantsByAdminsQuery } from './settings-api.ts'

/**
 * Lists what administrators did with the account, without their names. A session that receives only the reduced account
 * is sent to the settings.
 */
export function AccessLogScreen() {
  const { user } = useAuth()
  return user && isWholeUser(user) ? <AccessLog /> : <Navigate to="/settings" replace />
}

function AccessLog() {
  const navigate = useNavigate()
  const options = { refetchOnMountOrArgChange: true }
  const account = useListAccessesQuery(undefined, options)
  const premium = useListGrantsByAdminsQuery(undefined, options)
  const error = account.error ?? premium.error
  const data =
    account.data && premium.data
      ? [...account.data, ...premium.data].sort((left, right) => right.at.localeCompare(left.at))
      : undefined
  const isFetching = account.isFetching || premium.isFetching
  const needsStepUp = asApiError(error)?.code === 'step_up_required'
  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader
        title="Access log"
        back={{ label: 'Back', onBack: () => void navigate('/settings', { replace: true }) }}
      />
      <div className="space-y-5 p-4">
        <p className="text-ink-2">
          Each time an administrator looks at your account details, suspends your account or gives you
          Premium, it is noted here for a year.
        </p>
        {!data && isFetching && <Spinner label="Loading access log..." />}
        {needsStepUp && (
          <Notice kind="warning">
            To see the access log, unlock first, or log out and sign in again with your account password.
          </Notice>
        )}
        {error !== undefined && !needsStepUp && (
          <Notice kind="error">{sentenceOf(error, 'The access log could not be loaded.')}</Notice>
        )}
        {!error && data && (
          <SettingsGroup title="By administrators">
            {data.length === 0 && <SettingsRow>Nobody has looked at your account.</SettingsRow>}
            {data.map((access) => (
              <SettingsRow key={`${access.at} ${access.action}`}>
                <span className="min-w-0">{sentenceOfAccess(access)}</span>
                <span className="shrink-0 text-sm text-ink-2">{dateAndTimeText(access.at)}</span>
              </SettingsRow>
            ))}
          </SettingsGroup>
        )}
      </div>
    </main>
  )
}

function sentenceOfAccess({ action, days = 0 }: Access): string {
  switch (action) {
    case 'looked-at':
      return 'An administrator looked at your account'
    case 'suspended':
      return 'An administrator suspended your account'
    case 'unsuspended':
      return 'An administrator lifted the suspension'
    case 'premium-granted':
      return `An administrator gave you ${days} ${days === 1 ? 'day' : 'days'} of Premium`
  }
}
