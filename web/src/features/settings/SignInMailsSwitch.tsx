import { sentenceOf } from '../../api/base-api.ts'
import { useGetNotificationPreferencesQuery, useSetNotificationPreferencesMutation } from './settings-api.ts'
import { SwitchRow } from './SettingsGroup.tsx'

export const signInMailsText = {
  label: 'E-mail me about sign-ins',
  description: 'E-mails about changes of your account are always sent.',
} as const

export function SignInMailsSwitch() {
  const { data, error } = useGetNotificationPreferencesQuery()
  const [change, changing] = useSetNotificationPreferencesMutation()
  const failure: unknown = changing.error ?? error
  return (
    <SwitchRow
      {...signInMailsText}
      error={failure === undefined ? undefined : sentenceOf(failure, 'Please try again.')}
      isOn={data?.signInMails ?? true}
      onChange={(signInMails) => void change({ signInMails })}
      disabled={data === undefined || changing.isLoading}
    />
  )
}
