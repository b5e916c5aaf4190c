import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { toastFailure } from '../../api/toast-failure.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { dismissToast, toast } from '../../shared/ui/toast.ts'
import { useAuth } from '../session/auth-context.ts'
import { suppressSetupRedirect } from '../unlock/setup-redirect.ts'
import { isCommonPin } from './common-pin.ts'
import { discreetModeText } from './DiscreetModeSwitch.tsx'
import { SwitchRow } from './SettingsGroup.tsx'
import { useSetUpPinMutation } from './settings-api.ts'

const digitsOnly = (text: string) => text.replace(/\D/g, '').slice(0, limits.pinMaxLength)

export function SetUpPin({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate()
  const [isSet, setIsSet] = useState(false)
  const leave = (practise: boolean) => {
    onDone()
    void navigate('/', practise ? { state: { passwordMode: true } } : {})
  }
  return (
    <main className="mx-auto max-w-md p-4 py-8">
      <ScreenTitle className="text-2xl font-semibold">Setup Security Password</ScreenTitle>
      <p className="mt-2 text-ink-2">
        Choose a number that only you know. It opens what is behind the calculator.
      </p>
      <ol className="mt-4 list-decimal space-y-1 pl-5 text-ink-2">
        <li>On the calculator, press + while it shows 0.</li>
        <li>Type your number.</li>
        <li>Press =.</li>
      </ol>
      <PinForm onSet={() => setIsSet(true)} />
      <Dialog
        open={isSet}
        onOpenChange={() => leave(false)}
        title="Password Set Successfully!"
        description="On the calculator press +, type your number and press =. Try it once now, and it will stay with you."
      >
        <div className="flex flex-col gap-2">
          <Button onClick={() => leave(true)}>Practice Now</Button>
          <Button variant="secondary" onClick={() => leave(false)}>
            Skip - I Got It
          </Button>
        </div>
      </Dialog>
    </main>
  )
}

function PinForm({ onSet }: { onSet: () => void }) {
  const { refresh } = useAuth()
  const navigate = useNavigate()
  const [setUp, { isLoading }] = useSetUpPinMutation()
  const [pin, setPin] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [isDiscreet, setIsDiscreet] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = faultOf(pin, confirmation)
    if (fault) {
      toast({ ...fault, variant: 'destructive' })
      return
    }
    try {
      await setUp({ numericPassword: pin, isDiscreet }).unwrap()
      await refresh()
      dismissToast()
      onSet()
    } catch (error) {
      toastFailure('Password not set', error)
    }
  }

  const field = { type: 'password', inputMode: 'numeric', autoComplete: 'new-password' } as const
  return (
    <form className="mt-6 space-y-4" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Numeric Password"
        hint={`${limits.pinMinLength} to ${limits.pinMaxLength} digits`}
        value={pin}
        onChange={(event) => setPin(digitsOnly(event.target.value))}
        {...field}
      />
      <p role="status" className="-mt-2 text-sm text-warn empty:hidden">
        {isCommonPin(pin) && 'Many people choose this number. One that is harder to guess is safer.'}
      </p>
      <TextField
        label="Confirm Numeric Password"
        value={confirmation}
        onChange={(event) => setConfirmation(digitsOnly(event.target.value))}
        {...field}
      />
      <div className="rounded-2xl border border-line bg-surface">
        <SwitchRow {...discreetModeText} isOn={isDiscreet} onChange={setIsDiscreet} />
      </div>
      <div role="note" className="rounded-2xl border border-danger/40 bg-danger-soft p-4 text-sm text-danger">
        <strong className="block">Important</strong>
        Nobody can recover this number for you. If you forget it, the only way is to reset the entire app, and
        all conversations are lost.
      </div>
      <Button type="submit" className="w-full" disabled={isLoading}>
        Set Password &amp; Continue
      </Button>
      <Button
        variant="secondary"
        className="w-full"
        onClick={() => {
          suppressSetupRedirect()
          void navigate('/')
        }}
      >
        Cancel
      </Button>
    </form>
  )
}

function faultOf(pin: string, confirmation: string) {
  if (pin === '') return { title: 'Invalid password', description: 'Password must contain only numbers' }
  if (pin.length < limits.pinMinLength) {
    return { title: 'Invalid password', description: `Use at least ${limits.pinMinLength} digits.` }
  }
  if (pin !== confirmation)
    return { title: "Passwords don't match", description: 'Please confirm your password' }
  return null
}
