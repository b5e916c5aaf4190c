import { useState } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { useRequestPhoneCodeMutation } from './phone-api.ts'
import { usePage } from '../../page.ts'

/** The newest code of this browser; earlier codes are no longer accepted. */
interface SentCode {
  phone: string
  expiresAtMs: number
  demoCode: string | undefined
}

/** The state of a number in the phone step. */
export interface PhoneCode {
  phone: string
  /** `still-works`: an earlier code was kept instead of a new one. */
  status: 'sending' | 'sent' | 'still-works' | 'refused'
  /** The reason why no new code was sent. */
  refusal?: string
  /** Whether it replaced an earlier code. */
  isNewer?: boolean
  resendAtMs: number
  demoCode?: string | undefined
}

/** Sends codes and remembers the valid one, even while the form is shown again. */
export function usePhoneCode() {
  const { toastFailure } = usePage().toasts
  const [requestCode] = useRequestPhoneCodeMutation()
  const [sent, setSent] = useState<SentCode | null>(null)
  const [verifiedPhone, setVerifiedPhone] = useState<string | null>(null)
  const [code, setCode] = useState<PhoneCode | null>(null)

  /** Changes nothing if the person has changed the number since. */
  const update = (next: PhoneCode) => setCode((present) => (present?.phone === next.phone ? next : present))
  const validFor = (phone: string) => (sent?.phone === phone && sent.expiresAtMs > Date.now() ? sent : null)

  const send = async (phone: string) => {
    const former = validFor(phone)
    setCode({ phone, status: 'sending', resendAtMs: 0, demoCode: former?.demoCode })
    try {
      const { resendAfterSeconds, expiresInSeconds, demoCode } = await requestCode(phone).unwrap()
      setSent({ phone, expiresAtMs: Date.now() + expiresInSeconds * 1000, demoCode })
      const isNewer = former !== null
      update({ phone, status: 'sent', isNewer, resendAtMs: Date.now() + resendAfterSeconds * 1000, demoCode })
    } catch (error) {
      toastFailure('Code not sent', error)
      const kept = validFor(phone)
      update({
        phone,
        status: kept ? 'still-works' : 'refused',
        refusal: sentenceOf(error, 'Please try again.'),
        resendAtMs: Date.now() + (asApiError(error)?.retryAfterSeconds ?? 0) * 1000,
        demoCode: kept?.demoCode,
      })
    }
  }

  return {
    code,
    isVerified: (phone: string) => verifiedPhone === phone,
    /** Opens the phone step with the valid code of this number, or with a new one. */
    begin: (phone: string) => {
      const isSame = code?.phone === phone
      if (isSame && code.status === 'sending') return
      if (isSame && validFor(phone)) setCode({ ...code, status: 'still-works' })
      else void send(phone)
    },
    resend: () => (code ? send(code.phone) : Promise.resolve()),
    /** The code is used up, so no code of this browser is valid. */
    expire: () => setSent(null),
    confirm: (phone: string) => {
      setSent(null)
      setVerifiedPhone(phone)
    },
    forgetProof: () => setVerifiedPhone(null),
  }
}

export type PhoneCodes = ReturnType<typeof usePhoneCode>
