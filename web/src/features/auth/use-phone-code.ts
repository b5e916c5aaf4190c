import { useState } from 'react'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { useRequestPhoneCodeMutation } from './phone-api.ts'
import { usePage } from '../../page.ts'

/** Describes the newest code that was sent for this browser; earlier codes are no longer accepted. */
interface SentCode {
  phone: string
  expiresAtMs: number
  demoCode: string | undefined
}

/** Describes a number in the phone step. */
export interface PhoneCode {
  phone: string
  /** `still-works` means that an earlier code is still valid and no new one was sent. */
  status: 'sending' | 'sent' | 'still-works' | 'refused'
  /** The reason why no new code was sent. */
  refusal?: string
  /** Whether the code replaced an earlier one that was still valid. */
  isNewer?: boolean
  resendAtMs: number
  demoCode?: string | undefined
}

/** Sends codes and keeps the valid one in memory, also while the form is shown again. */
export function usePhoneCode() {
  const { toastFailure } = usePage().toasts
  const [requestCode] = useRequestPhoneCodeMutation()
  const [sent, setSent] = useState<SentCode | null>(null)
  const [verifiedPhone, setVerifiedPhone] = useState<string | null>(null)
  const [code, setCode] = useState<PhoneCode | null>(null)

  /** A late answer changes nothing if the person has changed the number meanwhile. */
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
    /** Opens the phone step. A code of this number that is still valid is kept; otherwise a new one is sent. */
    begin: (phone: string) => {
      const isSame = code?.phone === phone
      if (isSame && code.status === 'sending') return
      if (isSame && validFor(phone)) setCode({ ...code, status: 'still-works' })
      else void send(phone)
    },
    resend: () => (code ? send(code.phone) : Promise.resolve()),
    /** Forgets the code, because the server no longer accepts it. */
    expire: () => setSent(null),
    confirm: (phone: string) => {
      setSent(null)
      setVerifiedPhone(phone)
    },
    forgetProof: () => setVerifiedPhone(null),
  }
}

export type PhoneCodes = ReturnType<typeof usePhoneCode>
