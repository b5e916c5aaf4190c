import { useEffect, useId, useRef, useState } from 'react'
import { asApiError } from '../../api/base-api.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { ErrorIcon } from '../../shared/ui/icons.tsx'
import { CodeBoxes } from './CodeBoxes.tsx'
import { useVerifyPhoneCodeMutation } from './phone-api.ts'
import type { PhoneCode, PhoneCodes } from './use-phone-code.ts'
import { usePhoneFormat } from './use-phone-format.ts'
import { usePage } from '../../page.ts'

const empty = ['', '', '', '', '', '']
const missingDigits = 'Please enter all 6 digits'
const checkCode = 'Please check the code and try again.'

export interface PhoneStepProps {
  code: PhoneCode
  codes: PhoneCodes
  /** Is called once the number is verified. The form stays busy until the promise resolves. */
  onVerified: () => Promise<void>
  onBack: () => void
  /** Is called when the person wants to correct the number. */
  onChange: () => void
}

export function PhoneStep({ code, codes, onVerified, onBack, onChange }: PhoneStepProps) {
  const { form, digits, isIncomplete, change } = useCodeCheck(code.phone, codes, onVerified)
  const fault = form.faults.form
  const verifyButton = useRef<HTMLButtonElement>(null)
  const faultId = useId()
  useEffect(() => {
    if (!isIncomplete) verifyButton.current?.focus()
  }, [isIncomplete])

  return (
    <form className="space-y-5" {...form.props}>
      <div>
        <h2 className="text-xl font-semibold">Verify Your Phone</h2>
        <SentTo code={code} onChange={onChange} />
      </div>
      <div>
        <CodeBoxes
          digits={digits}
          onChange={change}
          onEnter={() => form.props.ref.current?.requestSubmit()}
          isReadOnly={form.isBusy}
          faultId={fault === undefined ? undefined : faultId}
        />
        {fault !== undefined && (
          <p id={faultId} className="mt-2 flex gap-1.5 text-sm text-danger">
            <ErrorIcon size={16} className="mt-0.5 shrink-0" />
            {fault}
          </p>
        )}
      </div>
      {code.demoCode && (
        <p className="rounded-xl bg-surface-2 px-3 py-2 text-sm text-ink-2">
          Demo: your code is{' '}
          <span className="font-semibold tracking-widest text-ink tabular-nums">{code.demoCode}</span>
        </p>
      )}
      <Button
        ref={verifyButton}
        type="submit"
        className="w-full"
        disabled={isIncomplete}
        isBusy={form.isBusy}
      >
        {form.isBusy ? 'Verifying...' : 'Verify Code'}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
        <ResendButton
          code={code}
          onResend={() => {
            change(empty)
            void codes.resend()
          }}
        />
      </div>
    </form>
  )
}

/** Holds the typed digits and sends them for verification. */
function useCodeCheck(phone: string, codes: PhoneCodes, onVerified: () => Promise<void>) {
  const { toast } = usePage().toasts
  const [verifyCode] = useVerifyPhoneCodeMutation()
  const [digits, setDigits] = useState(empty)
  const isIncomplete = digits.some((digit) => digit === '')
  const form = useForm({
    fields: [],
    check: () => ({ form: isIncomplete ? missingDigits : undefined }),
    onFault: (description) => toast({ title: 'Invalid code', description, variant: 'destructive' }),
    send: async () => {
      await verifyCode(digits.join('')).unwrap()
      codes.confirm(phone)
      toast({
        title: 'Phone verified!',
        description: 'Your account has been verified successfully.',
        outlivesScreen: true,
      })
      await onVerified()
    },
    refused: (_, error) => {
      const known = asApiError(error)
      if (known?.code === 'code_expired') codes.expire()
      const isWrong = known?.code === 'wrong_code' || known?.code === 'code_expired'
      const description = isWrong ? (known.sentence ?? checkCode) : 'Please try again.'
      toast({ title: isWrong ? 'Invalid code' : 'Verification failed', description, variant: 'destructive' })
      setDigits(empty)
      return { form: known?.sentence ?? description }
    },
  })
  const change = (next: string[]) => {
    setDigits(next)
    form.refuse({})
  }
  return { form, digits, isIncomplete, change }
}

/** Shows the number and whether a code was sent to it. */
function SentTo({ code, onChange }: { code: PhoneCode; onChange: () => void }) {
  const format = usePhoneFormat()
  const { status, refusal } = code
  const lead = {
    sending: 'Sending a 6-digit code to',
    sent: 'We sent a 6-digit code to',
    'still-works': 'We sent a 6-digit code to',
    refused: 'Enter the 6-digit code for',
  }[status]
  return (
    <>
      <p className="mt-1 text-ink-2">
        {lead}{' '}
        <span dir="ltr" className="font-medium whitespace-nowrap text-ink">
          {format(code.phone)}
        </span>{' '}
        <button
          type="button"
          className="-my-3 min-h-11 rounded-lg px-1 font-medium text-accent underline"
          onClick={onChange}
        >
          Change
        </button>
      </p>
      <div role="status" className="text-sm">
        {refusal && <p className="mt-2 text-danger">{refusal}</p>}
        {code.isNewer && (
          <p className="mt-2 text-ink-2">A new code is on its way. Only the newest one counts.</p>
        )}
        {status === 'still-works' && <p className="mt-2 text-ink-2">The code we sent still works.</p>}
      </div>
    </>
  )
}

function ResendButton({ code, onResend }: { code: PhoneCode; onResend: () => void }) {
  const seconds = useSecondsUntil(code.resendAtMs)
  const isSending = code.status === 'sending'
  return (
    <Button
      variant="ghost"
      className="tabular-nums"
      disabled={seconds > 0 && !isSending}
      isBusy={isSending}
      onClick={onResend}
    >
      {seconds > 0
        ? `Resend Code (${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`
        : 'Resend Code'}
    </Button>
  )
}

/** Counts down by the clock, because timers stop while the phone shows another app. */
function useSecondsUntil(timeMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const seconds = Math.max(0, Math.ceil((timeMs - nowMs) / 1000))
  useEffect(() => {
    const tick = () => setNowMs(Date.now())
    tick()
    const timer = window.setInterval(tick, 1000)
    return () => window.clearInterval(timer)
  }, [timeMs])
  return seconds
}
