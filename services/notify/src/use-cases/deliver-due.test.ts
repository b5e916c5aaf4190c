import { createCipheriv, randomBytes } from 'node:crypto'
import { createLogger } from '@sumlock/service-kit/logger'
import type { Context } from '../context.ts'
import type { Delivery } from '../domain/delivery.ts'
import { deliverDue } from './deliver-due.ts'

const key = randomBytes(32)
const now = new Date('2026-11-20T12:00:00.000Z')

function sealed(id: string, code: string): Delivery['sealed'] {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id))
  const notice = { channel: 'sms', template: 'phone-code', to: '+15550001234', code }
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(notice), 'utf8'), cipher.final()])
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  return { keyId: 'k', iv: base64(iv), ciphertext: base64(ciphertext), tag: base64(cipher.getAuthTag()) }
}

const due = (id: string, changes: Partial<Delivery> = {}): Delivery => ({
  _id: id,
  sealed: sealed(id, '135790'),
  state: 'sending',
  attempts: 1,
  dueAt: now,
  expiresAt: new Date(now.getTime() + 60_000),
  lastError: null,
  createdAt: now,
  ...changes,
})

/** Runs the delivery; returns the texts that were sent, the calls to the store and the log. */
async function run(deliveries: Delivery[], mail: () => Promise<void> = () => Promise.resolve()) {
  const sent: string[] = []
  const notes: unknown[][] = []
  const log: { msg: string; noticeId: string; reason?: string }[] = []
  const write = (line: string) => log.push(JSON.parse(line) as (typeof log)[number])
  const note =
    (what: string) =>
    (...rest: unknown[]) => {
      notes.push([what, ...rest])
      return Promise.resolve()
    }
  const ctx = {
    clock: { now: () => now },
    config: { NOTICE_KEYS: { k: key } },
    logger: createLogger({ service: 'notify', instance: 'test', level: 'warn' }, { write }),
    deliveries: {
      claim: () => Promise.resolve(deliveries.shift() ?? null),
      settle: note('settle'),
      retryAt: note('retryAt'),
    },
    sendMail: async ({ text }: { text: string }) => {
      await mail()
      sent.push(text)
    },
  } as unknown as Context
  return { count: await deliverDue(ctx), sent, notes, log }
}

describe('a due delivery', () => {
  it('is sent and then settled', async () => {
    const { count, sent, notes } = await run([due('a'), due('b')])
    expect(count).toBe(2)
    expect(sent).toEqual([expect.stringContaining('135790'), expect.stringContaining('135790')])
    expect(notes).toEqual([
      ['settle', 'a', 'sent'],
      ['settle', 'b', 'sent'],
    ])
  })

  it('is settled as expired instead of sending a code that is no longer valid', async () => {
    const { count, sent, notes } = await run([due('a', { expiresAt: now })])
    expect(count).toBe(0)
    expect(sent).toEqual([])
    expect(notes).toEqual([['settle', 'a', 'expired']])
  })

  it('is not sent when it was sealed for another notice', async () => {
    const { sent, notes, log } = await run([due('a', { sealed: sealed('b', '135790') })])
    expect(sent).toEqual([])
    expect(notes).toEqual([['settle', 'a', 'failed', 'cannot be opened']])
    expect(log).toMatchObject([{ msg: 'notice could not be decrypted', noticeId: 'a' }])
  })

  it('is settled as failed when the mail server refuses the recipient permanently, and is not retried', async () => {
    const refusal = Object.assign(new Error('no'), { code: 'EENVELOPE', responseCode: 550 })
    const { count, notes, log } = await run([due('a')], () => Promise.reject(refusal))
    expect(count).toBe(0)
    expect(notes).toEqual([['settle', 'a', 'failed', 'EENVELOPE 550']])
    const reason = 'EENVELOPE 550'
    expect(log).toMatchObject([{ msg: 'notice was refused permanently', noticeId: 'a', reason }])
  })

  it('is settled as expired when its sealed text was deleted', async () => {
    const { count, notes } = await run([due('a', { sealed: null })])
    expect(count).toBe(0)
    expect(notes).toEqual([['settle', 'a', 'expired']])
  })

  it('is retried later when the mail server is away, and is not settled', async () => {
    const refused = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNECTION' }))
    const { sent, notes, log } = await run([due('a', { attempts: 3 })], refused)
    expect(sent).toEqual([])
    expect(notes).toEqual([['retryAt', 'a', new Date(now.getTime() + 4000), 'ECONNECTION']])
    const msg = 'notice could not be sent and will be retried'
    expect(log).toMatchObject([{ msg, noticeId: 'a', reason: 'ECONNECTION' }])
  })
})

it('counts only the letters that were sent', async () => {
  const unreadable = due('c', { sealed: sealed('another', '135790') })
  expect((await run([due('a', { expiresAt: now }), due('b'), unreadable])).count).toBe(1)
  const refuse = () =>
    Promise.reject(Object.assign(new Error('no'), { code: 'EENVELOPE', responseCode: 550 }))
  expect((await run([due('a')], refuse)).count).toBe(0)
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
  expect((await run([due('a')], away)).count).toBe(0)
})
