import { useNavigate } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { boxesForChange } from '../sealed/change-boxes.ts'
import { useAuth } from '../session/auth-context.ts'
import { FormWithKeypad } from './FormWithKeypad.tsx'
import { newPinFaults } from './new-pin-faults.ts'
import { NewPinFields } from './NewPinFields.tsx'
import { passwordWords } from './password-words.ts'
import { PinField } from './PinField.tsx'
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
  const leave = () => void navigate('/settings', { replace: true })
  const { props, field, faults, isBusy } = useForm({
    fields: ['current', 'pin', 'confirmation'],
    check: ({ current, pin, confirmation }) =>
      current === '' ? { current: 'Enter the number that you use now.' } : newPinFaults(pin, confirmation),
    send: async ({ current, pin }) => {
      const boxes = user ? await boxesForChange(page.client, user.id, current, pin) : undefined
      await change({ currentNumericPassword: current, numericPassword: pin, ...boxes }).unwrap()
      toast({
        title: 'Password changed',
        description: 'Use the new number from now on. Your other devices were locked.',
        outlivesScreen: true,
      })
      leave()
    },
    refused: (sentence, error) =>
      asApiError(error)?.code === 'wrong_pin' ? { current: refusedSentence } : { form: sentence },
  })
  const fields = (
    <>
      <PinField label="Current Security Password" {...field('current')} />
      <NewPinFields label="New Security Password" faults={faults} />
    </>
  )

  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader title="Change Security Password" back={{ label: 'Back', onBack: leave }} />
      <div className="px-4 pt-4">
        <p className="text-ink-2">{passwordWords}</p>
        <FormWithKeypad form={props} fields={fields}>
          {faults.form && <Notice kind="error">{faults.form}</Notice>}
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
