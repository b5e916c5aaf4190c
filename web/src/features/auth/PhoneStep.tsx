import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { asApiError } from '../../api/base-api.ts'
import { toastFailure } from '../../api/toast-failure.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { toast } from '../../shared/ui/toast.ts'
import { CodeBoxes } from './CodeBoxes.tsx'
import { useRequestPhoneCodeMutation, useVerifyPhoneCodeMutation } from './phone-api.ts'

const empty = ['', '', '', '', '', '']

export interface PhoneStepProps {
  phone: string
  /** Called once the number is verified; the form stays busy until it resolves. */
  onVerified: () => Promise<void>
  onBack: () => void
}

export function PhoneStep({ phone, onVerified, onBack }: PhoneStepProps) {
  const [verifyCode] = useVerifyPhoneCodeMutation()
  const [digits, setDigits] = useState(empty)
  const [isVerifying, setIsVerifying] = useState(false)
  const { demoCode, waitSeconds, send } = usePhoneCode(phone, () => setDigits(empty))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (digits.some((digit) => digit === '')) {
      toast({ title: 'Invalid code', description: 'Please enter all 6 digits', variant: 'destructive' })
      return
    }
    setIsVerifying(true)
    try {
      await verifyCode(digits.join('')).unwrap()
      toast({
        title: 'Phone verified!',
        description: 'Your account has been verified successfully.',
        outlivesScreen: true,
      })
      await onVerified()
    } catch (error) {
      const known = asApiError(error)
      const isWrong = known?.code === 'wrong_code' || known?.code === 'code_expired'
      toast({
        title: isWrong ? 'Invalid code' : 'Verification failed',
        description: isWrong ? known.sentence : 'Please try again.',
        variant: 'destructive',
      })
      setDigits(empty)
    }
    setIsVerifying(false)
  }

  const isIncomplete = digits.some((digit) => digit === '')
  return (
    <form className="space-y-5" onSubmit={(event) => void submit(event)}>
      <div>
        <h2 className="text-xl font-semibold">Verify Your Phone</h2>
        <p className="mt-1 text-ink-2">
          We sent a 6-digit code to <span className="font-medium whitespace-nowrap text-ink">{phone}</span>
        </p>
      </div>
      <CodeBoxes digits={digits} onChange={setDigits} isReadOnly={isVerifying} />
      {demoCode && (
        <p className="rounded-xl bg-surface-2 px-3 py-2 text-sm text-ink-2">
          Demo: your code is{' '}
          <span className="font-semibold tracking-widest text-ink tabular-nums">{demoCode}</span>
        </p>
      )}
      <Button type="submit" className="w-full" disabled={isVerifying || isIncomplete}>
        {isVerifying ? 'Verifying...' : 'Verify Code'}
      </Button>
      <div className="flex justify-between">
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
        <Button variant="ghost" disabled={waitSeconds > 0} onClick={() => void send()}>
          {waitSeconds > 0 ? `Resend Code (0:${String(waitSeconds).padStart(2, '0')})` : 'Resend Code'}
        </Button>
      </div>
    </form>
  )
}

/** Sends a code to the number when the screen opens, and again on request after a countdown. */
function usePhoneCode(phone: string, onSent: () => void) {
  const [requestCode, { data }] = useRequestPhoneCodeMutation()
  const [waitSeconds, setWaitSeconds] = useState(0)
  const asked = useRef(false)

  const send = async () => {
    try {
      const { resendAfterSeconds } = await requestCode(phone).unwrap()
      setWaitSeconds(resendAfterSeconds)
      onSent()
    } catch (error) {
      toastFailure('Code not sent', error)
      setWaitSeconds(30)
    }
  }
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    void send()
  })
  useEffect(() => {
    if (waitSeconds === 0) return
    const timer = window.setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000)
    return () => window.clearTimeout(timer)
  }, [waitSeconds])
  return { demoCode: data?.demoCode, waitSeconds, send }
}
