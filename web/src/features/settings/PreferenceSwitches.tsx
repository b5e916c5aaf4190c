import type { ConversationPreferences } from '@sumlock/contracts/conversation-state-routes'
import { sentenceOf } from '../../api/base-api.ts'
import { SwitchRow } from './SettingsGroup.tsx'
import {
  useGetConversationPreferencesQuery,
  useSetConversationPreferencesMutation,
} from '../conversation-options/options-api.ts'

interface PreferenceSwitchProps {
  name: keyof ConversationPreferences
  label: string
  description: string
}

function PreferenceSwitch({ name, label, description }: PreferenceSwitchProps) {
  const { data, error } = useGetConversationPreferencesQuery()
  const [change, changing] = useSetConversationPreferencesMutation()
  const failure: unknown = changing.error ?? error
  return (
    <SwitchRow
      label={label}
      description={description}
      error={failure === undefined ? undefined : sentenceOf(failure, 'Please try again.')}
      isOn={data?.[name] ?? false}
      onChange={(isOn) => void change({ [name]: isOn })}
      disabled={data === undefined || changing.isLoading}
    />
  )
}

export const AskFirstSwitch = () => (
  <PreferenceSwitch
    name="asksFirst"
    label="Ask me before a new conversation"
    description="The first message of someone new waits as a request until you accept it."
  />
)

export const ReadReceiptsSwitch = () => (
  <PreferenceSwitch
    name="showsRead"
    label="Read receipts"
    description="Both of you need it on, and what was read while it is off shows as read once something newer is read while it is on."
  />
)
