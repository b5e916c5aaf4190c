import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { sendJson, startLocalServer } from './local-server.ts'

/**
 * The next SMS to a number is refused with a status and Twilio's code, accepted without an answer, or neither accepted
 * nor answered.
 */
export type SmsAnswer = { status: number; code: number } | 'lose the answer' | 'never answer'

export interface AcceptedSms {
  to: string
  body: string
  from: string
}

export interface TwilioServer {
  /** Notify uses this server with these settings. */
  readonly settings: Readonly<
    Record<'TWILIO_URL' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_API_KEY' | 'TWILIO_API_SECRET' | 'SMS_FROM', string>
  >
  readonly accepted: readonly AcceptedSms[]
  /** Notify has sent this many requests to send an SMS. */
  readonly tries: number
  script(to: string, ...answers: SmsAnswer[]): void
  close(): Promise<void>
}

const sid = (kind: string) => `${kind}${randomBytes(16).toString('hex')}`
const missing = { To: 21604, Body: 21602, From: 21603 } as const

interface TwilioAccount {
  account: string
  key: string
  secret: string
}

/** Starts the server on a free port of this machine, with an account of its own. */
export async function startTwilioServer(): Promise<TwilioServer> {
  const own = { account: sid('AC'), key: sid('SK'), secret: randomBytes(16).toString('hex') }
  const { listener, accepted, script, tries } = answerAsTwilio(own)
  const server = await startLocalServer(listener)
  return {
    settings: {
      TWILIO_URL: server.url,
      TWILIO_ACCOUNT_SID: own.account,
      TWILIO_API_KEY: own.key,
      TWILIO_API_SECRET: own.secret,
      SMS_FROM: '+15005550006',
    },
    accepted,
    get tries() {
      return tries()
    },
    script,
    close: server.close,
  }
}

/**
 * Implements the two calls of Twilio's REST API (2010-04-01) that notify makes: sending a message, and listing the
 * messages to a number.
 */
export function answerAsTwilio({ account, key, secret }: TwilioAccount) {
  const path = `/2010-04-01/Accounts/${account}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
  const scripts = new Map<string, SmsAnswer[]>()
  const accepted: AcceptedSms[] = []
  let tries = 0

  const send = async (request: IncomingMessage, response: ServerResponse) => {
    tries += 1
    const form = new URLSearchParams(await readText(request))
    const sender = form.get('MessagingServiceSid') ?? form.get('From')
    const [to, body] = [form.get('To'), form.get('Body')]
    if (to === null) return refuse(response, 400, missing.To)
    if (body === null) return refuse(response, 400, missing.Body)
    if (sender === null) return refuse(response, 400, missing.From)
    const answer = scripts.get(to)?.shift()
    if (answer === 'never answer') return
    if (typeof answer === 'object') return refuse(response, answer.status, answer.code)
    accepted.push({ to, body, from: sender })
    if (answer === 'lose the answer') return void response.destroy()
    sendJson(response, 201, {
      sid: sid('SM'),
      account_sid: account,
      to,
      body,
      status: 'queued',
      error_code: null,
    })
  }

  const list = (to: string | null) =>
    accepted
      .filter((sms) => to === null || sms.to === to)
      .map((sms) => ({ sid: sid('SM'), account_sid: account, to: sms.to, body: sms.body, status: 'sent' }))

  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '', 'http://twilio')
    if (request.headers.authorization !== authorization) return refuse(response, 401, 20003)
    if (url.pathname !== path) return refuse(response, 404, 20404)
    if (request.method === 'POST') return void send(request, response)
    sendJson(response, 200, { messages: list(url.searchParams.get('To')), page: 0, next_page_uri: null })
  }
  return {
    listener,
    accepted: accepted as readonly AcceptedSms[],
    tries: () => tries,
    script: (to: string, ...answers: SmsAnswer[]) => void scripts.set(to, answers),
  }
}

const refuse = (response: ServerResponse, status: number, code: number) =>
  sendJson(response, status, { code, message: 'refused', more_info: `errors/${code}`, status })
