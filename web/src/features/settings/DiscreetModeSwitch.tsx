import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { useSetDiscreetModeMutation } from './settings-api.ts'
import { SwitchRow } from './SettingsGroup.tsx'

export const discreetModeText = {
  label: 'Discreet mode',
  description:
    'Until you unlock, addresses, words and settings that give the app away disappear, and the digits of your number show as you type them.',
} as const

/** Changes the mode on the server, whose answer also sets the marker cookie of this device. */
export function DiscreetModeSwitch({ isDiscreet }: { isDiscreet: boolean }) {
  const navigate = useNavigate()
  const [setDiscreetMode, { isLoading }] = useSetDiscreetModeMutation()
  const [error, setError] = useState<string>()

  const change = async (isOn: boolean) => {
    setError(undefined)
    try {
      await setDiscreetMode({ isDiscreet: isOn }).unwrap()
      // The router chooses the address by the marker cookie, so a navigation updates the address.
      void navigate('.', { replace: true })
    } catch (failure) {
      const needsUnlock = asApiError(failure)?.code === 'step_up_required'
      setError(needsUnlock ? 'Please unlock first to change this.' : sentenceOf(failure, 'Please try again.'))
    }
  }
  return (
    <SwitchRow
      {...discreetModeText}
      error={error}
      isOn={isDiscreet}
      onChange={(isOn) => void change(isOn)}
      disabled={isLoading}
    />
  )
}
