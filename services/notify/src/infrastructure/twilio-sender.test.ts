import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTwilioServer } from '@sumlock/testing/twilio-server'
import type { TwilioServer } from '@sumlock/testing/twilio-server'
import { isPermanentFailure, reasonOf } from '../domain/refusal.ts'
import type { Config } from '../config.ts'
import { createSmsSender } from './sms-sender.ts'

let server: TwilioServer
beforeEach(async () => {
  server = await startTwilioServer()
})
afterEach(() => server?.close())

const to = '+15550100001'
const text = '123456 is your Calculator code. It is valid for 10 minutes.'
const noMail = () => Promise.reject(new Error('no mail is sent'))

const senderWith = (changes: Partial<Config> = {}) =>
  createSmsSender({ SMS_VIA: 'twilio', ...server.settings, ...changes } as Config, noMail)
const send = (options: { isRepeat?: boolean; changes?: Partial<Config>; timeoutMs?: number } = {}) =>
  senderWith(options.changes)(
    { to, text, noticeId: randomUUID(), isRepeat: options.isRepeat ?? false },
    AbortSignal.timeout(options.timeoutMs ?? 10_000),
  )
/** The reason that is stored, and whether the number is given up. */
const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => 'accepted',
    (error: unknown) => `${reasonOf(error)}${isPermanentFailure(error) ? ', permanent' : ''}`,
  )

describe('an SMS through Twilio', () => {
  it('is sent with the number and the text, from a number of the account or its messaging service', async () => {
    await send()
    const service = `MG${'0a'.repeat(16)}`
    await send({ changes: { SMS_FROM: service } })
    expect(server.accepted).toEqual([
      { to, body: text, from: server.settings.SMS_FROM },
      { to, body: text, from: service },
    ])
  })

  it.each([
    [{ status: 400, code: 21211 }, 'ESMS 21211, permanent'],
    [{ status: 400, code: 21610 }, 'ESMS 21610, permanent'],
    [{ status: 429, code: 20429 }, 'ESMS 20429'],
    [{ status: 503, code: 20503 }, 'ESMS 20503'],
    ['lose the answer', 'UND_ERR_SOCKET'],
    ['never answer', 'ETIMEDOUT'],
  ] as const)('answered with %j fails as: %s', async (answer, reason) => {
    server.script(to, answer)
    expect(await failureOf(send(answer === 'never answer' ? { timeoutMs: 300 } : {}))).toBe(reason)
  })

  it('is retried when our key is refused, or when the provider cannot be reached', async () => {
    expect(await failureOf(send({ changes: { TWILIO_API_SECRET: 'wrong' } }))).toBe('ESMS 20003')
    await server.close()
    expect(await failureOf(send())).toBe('ECONNREFUSED')
  })

  it('does not follow a redirect, which would carry the number and the code to another host', async () => {
    const redirecting = createServer((request, response) => {
      response.writeHead(307, { location: `${server.settings.TWILIO_URL}${request.url}` }).end()
    })
    await once(redirecting.listen(0, '127.0.0.1'), 'listening')
    const { port } = redirecting.address() as AddressInfo
    const changes = { TWILIO_URL: `http://127.0.0.1:${port}` }
    expect(await failureOf(send({ changes }))).toBe('ESMSCONNECTION')
    expect(server.tries).toBe(0)
    redirecting.close()
  })

  it('is not sent a second time when the answer to an accepted one was lost, and is when it was refused', async () => {
    server.script(to, 'lose the answer')
    await expect(send()).rejects.toThrow('not accepted')
    await send({ isRepeat: true })
    expect([server.tries, server.accepted.length]).toEqual([1, 1])
    const other = '+15550100002'
    server.script(other, { status: 503, code: 20503 })
    const sms = { to: other, text, noticeId: randomUUID() }
    const signal = AbortSignal.timeout(10_000)
    await expect(senderWith()({ ...sms, isRepeat: false }, signal)).rejects.toThrow('not accepted')
    await senderWith()({ ...sms, isRepeat: true }, signal)
    expect(server.accepted.map((one) => one.to)).toEqual([to, other])
  })
})
