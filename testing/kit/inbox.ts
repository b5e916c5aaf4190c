import { waitUntil } from '@sumlock/deployment/wait-until'

export interface ReceivedMail {
  to: { address: string }[]
  from: { address: string; name?: string }[]
  subject: string
  text: string
  html?: string
}

/**
 * Returns all mails for an address in exactly this spelling, oldest first. The inbox filters them, because it contains
 * thousands.
 */
export async function mailsFor(inboxUrl: string, address: string): Promise<ReceivedMail[]> {
  const query = new URLSearchParams({ 'to.address': address })
  return (await (await fetch(`${inboxUrl}/email?${query.toString()}`)).json()) as ReceivedMail[]
}

/** Waits for an SMS to a phone number, and resolves to the six digits in the newest one. */
export const readPhoneCode = (inboxUrl: string, phone: string): Promise<string> =>
  waitUntil(`an SMS to ${phone}`, async () => {
    const newest = (await mailsFor(inboxUrl, `${phone}@sms.local`)).at(-1)
    return /\b(\d{6})\b/.exec(newest?.text ?? '')?.[1]
  })
