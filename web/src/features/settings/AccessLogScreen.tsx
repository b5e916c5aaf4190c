import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { Navigate, useNavigate } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { dateAndTimeText } from '../../shared/lib/date-text.ts'
import { Notice } from '../../shared/ui/Notice.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { useAuth } from '../session/auth-context.ts'
import { SettingsGroup, SettingsRow } from './SettingsGroup.tsx'
import { useListAccessesQuery } from './settings-api.ts'

/** When an admin was shown the account. Settings that are not whole lead to those of a calculator. */
export function AccessLogScreen() {
  const { user } = useAuth()
  return user && isWholeUser(user) ? <AccessLog /> : <Navigate to="/settings" replace />
}

function AccessLog() {
  const navigate = useNavigate()
  const { data, error, isFetching } = useListAccessesQuery(undefined, { refetchOnMountOrArgChange: true })
  const needsStepUp = asApiError(error)?.code === 'step_up_required'
  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader
        title="Access log"
        back={{ label: 'Back', onBack: () => void navigate('/settings', { replace: true }) }}
      />
      <div className="space-y-5 p-4">
        <p className="text-ink-2">
          Each time an administrator looks at your account details, it is noted here for a year.
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
          <SettingsGroup title="Seen by">
            {data.length === 0 && <SettingsRow>Nobody has looked at your account.</SettingsRow>}
            {data.map(({ at, admin }) => (
              <SettingsRow key={`${at} ${admin}`}>
                <span className="min-w-0 truncate">{admin}</span>
                <span className="text-sm text-ink-2">{dateAndTimeText(at)}</span>
              </SettingsRow>
            ))}
          </SettingsGroup>
        )}
      </div>
    </main>
  )
}
