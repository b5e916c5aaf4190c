import type { Config } from '../config.ts'
import { createTwilioSender } from './twilio-sender.ts'
import type { SendMail } from './mail-sender.ts'

export interface Sms {
  to: string
  text: string
  noticeId: string
  /** True from the second attempt on: the first may have been accepted although its answer was lost. */
  isRepeat: boolean
}

/** Sends an SMS once. An abort ends the attempt and rejects with ETIMEDOUT. */
export type SendSms = (sms: Sms, signal: AbortSignal) => Promise<void>

/** Delivers SMS as mails to `<phone>@sms.local`, for local use. */
const createInboxSender =
  (sendMail: SendMail): SendSms =>
  ({ to, text, noticeId }, signal) =>
    sendMail({ to: `${to}@sms.local`, subject: 'Calculator', text, noticeId }, signal)

export function createSmsSender(config: Config, sendMail: SendMail): SendSms {
  const { SMS_VIA, SMS_FROM, TWILIO_URL, TWILIO_ACCOUNT_SID, TWILIO_API_KEY, TWILIO_API_SECRET } = config
  if (SMS_VIA === 'inbox') return createInboxSender(sendMail)
  return createTwilioSender({
    url: TWILIO_URL,
    // `readConfig` requires these settings with `SMS_VIA=twilio`, so the empty defaults are never used.
    from: SMS_FROM ?? '',
    accountSid: TWILIO_ACCOUNT_SID ?? '',
    apiKey: TWILIO_API_KEY ?? '',
    apiSecret: TWILIO_API_SECRET ?? '',
  })
}
