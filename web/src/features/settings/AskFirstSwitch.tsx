import { sentenceOf } from '../../api/base-api.ts'
import { SwitchRow } from './SettingsGroup.tsx'
import {
  useGetConversationPreferencesQuery,
  useSetConversationPreferencesMutation,
} from '../conversation-options/options-api.ts'

export function AskFirstSwitch() {
  const { data, error } = useGetConversationPreferencesQuery()
  const [change, changing] = useSetConversationPreferencesMutation()
  const failure: unknown = changing.error ?? error
  return (
    <SwitchRow
      label="Ask me before a new conversation"
      description="The first message of someone new waits as a request until you accept it."
      error={failure === undefined ? undefined : sentenceOf(failure, 'Please try again.')}
      isOn={data?.asksFirst ?? false}
      onChange={(asksFirst) => void change({ asksFirst })}
      disabled={data === undefined || changing.isLoading}
    />
  )
}
