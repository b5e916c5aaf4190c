import { useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { boxesForChange } from '../sealed/change-boxes.ts'
import { useAuth } from '../session/auth-context.ts'
import { fieldOf, FormWithKeypad } from './FormWithKeypad.tsx'
import { NewPinFields } from './NewPinFields.tsx'
import { PinField } from './PinField.tsx'
import { pinFaultOf } from './pin-fault.ts'
import type { PinFault } from './pin-fault.ts'
import { useChangePinMutation } from './settings-api.ts'
import { usePage } from '../../page.ts'

const refusedSentence = 'This number was not accepted. Check it and try again.'

/** Replaces the number of an unlocked account. */
export function ChangePinScreen() {
  const page = usePage()
  const { toast } = page.toasts
  const navigate = useNavigate()
  const { user } = useAuth()
  const [change] = useChangePinMutation()
  const [isBusy, setIsBusy] = useState(false)
  const [current, setCurrent] = useState('')
  const [value, setValue] = useState({ pin: '', confirmation: '' })
  const [fault, setFault] = useState<PinFault | null>(null)
  const [currentError, setCurrentError] = useState<string>()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const leave = () => void navigate('/settings', { replace: true })

  const refuseCurrent = (sentence: string) => {
    setCurrentError(sentence)
    fieldOf(form.current, 'current')?.focus()
  }
  const send = async () => {
    setFailure(null)
    if (current === '') {
      refuseCurrent('Enter the number that you use now.')
      return
    }
    const found = pinFaultOf(value.pin, value.confirmation)
    setFault(found)
    if (found) {
      fieldOf(form.current, found.field)?.focus()
      return
    }
    setIsBusy(true)
    try {
      const boxes = user ? await boxesForChange(page.client, user.id, current, value.pin) : undefined
      await change({ currentNumericPassword: current, numericPassword: value.pin, ...boxes }).unwrap()
      toast({
        title: 'Password changed',
        description: 'Use the new number from now on. Your other devices were locked.',
        outlivesScreen: true,
      })
      leave()
    } catch (error) {
      if (asApiError(error)?.code === 'wrong_pin') refuseCurrent(refusedSentence)
      else setFailure(sentenceOf(error, 'Please try again.'))
    } finally {
      setIsBusy(false)
    }
  }
  const fields = (
    <>
      <PinField
        name="current"
        label="Current Numeric Password"
        value={current}
        error={currentError}
        onChange={(digits) => {
          setCurrent(digits)
          setCurrentError(undefined)
        }}
      />
      <NewPinFields
        label="New Numeric Password"
        value={value}
        fault={fault}
        onChange={(next) => {
          setValue(next)
          setFault(null)
        }}
      />
    </>
  )

  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader title="Change Security Password" back={{ label: 'Back', onBack: leave }} />
      <div className="px-4">
        <FormWithKeypad ref={form} firstField="current" fields={fields} onSubmit={() => void send()}>
          {failure && <Notice kind="error">{failure}</Notice>}
          <Button type="submit" className="w-full" isBusy={isBusy}>
            Change Password
          </Button>
          <Button variant="secondary" className="w-full" onClick={leave}>
            Cancel
          </Button>
        </FormWithKeypad>
      </div>
    </main>
  )
}
