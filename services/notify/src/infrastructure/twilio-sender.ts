import { z } from 'zod'
import { SmsError } from '../domain/refusal.ts'
import type { Sms, SendSms } from './sms-sender.ts'

export interface TwilioOptions {
  url: string
  /** Twilio sends from this number (E.164) or by the messaging service with this id (`MG…`). */
  from: string
  accountSid: string
  apiKey: string
  apiSecret: string
}

const refusal = z.object({ code: z.number() })
const messageList = z.object({ messages: z.array(z.object({ body: z.string(), status: z.string() })) })
const lost = ['failed', 'undelivered', 'canceled']

/**
 * Sends SMS through Twilio's REST API, which has no idempotency key. A repeated attempt first looks for an accepted SMS with
 * the same receiver and text; every text contains its own code.
 */
export function createTwilioSender({ url, from, accountSid, apiKey, apiSecret }: TwilioOptions): SendSms {
  const messages = `${url}/2010-04-01/Accounts/${accountSid}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`

  const call = async (address: string, init: RequestInit): Promise<unknown> => {
    // A redirect could send the phone number and the code to another host.
    const answer = await fetch(address, { ...init, headers: { authorization }, redirect: 'error' }).catch(
      (error: unknown) => {
        throw new SmsError(causeOf(error))
      },
    )
    const body: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return body
    throw new SmsError('ESMS', refusal.safeParse(body).data?.code ?? answer.status)
  }
  const wasAccepted = async ({ to, text }: Sms, signal: AbortSignal): Promise<boolean> => {
    const query = new URLSearchParams({ To: to, PageSize: '50' })
    const list = messageList.safeParse(await call(`${messages}?${query.toString()}`, { signal }))
    if (!list.success) throw new SmsError('ESMSANSWER')
    return list.data.messages.some(({ body, status }) => body === text && !lost.includes(status))
  }

  return async (sms, signal) => {
    if (sms.isRepeat && (await wasAccepted(sms, signal))) return
    const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }
    const body = new URLSearchParams({ To: sms.to, Body: sms.text, ...sender })
    await call(messages, { method: 'POST', body, signal })
  }
}

/** Returns the error code for a request that got no answer. */
function causeOf(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } }
  if (name === 'TimeoutError' || name === 'AbortError') return 'ETIMEDOUT'
  return typeof cause?.code === 'string' ? cause.code : 'ESMSCONNECTION'
}
