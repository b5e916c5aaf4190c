import { randomBytes } from 'node:crypto'
import type { Notice } from '@sumlock/contracts/auth-events'
import { createLogger } from '@sumlock/service-kit/logger'
import { sealNotice } from '@sumlock/service-kit/seal-notice'
import type { Context } from '../context.ts'
import { attemptTimeoutMs } from '../domain/delivery.ts'
import type { Delivery } from '../domain/delivery.ts'
import { attemptDelivery } from './attempt-delivery.ts'

const key = randomBytes(32)
const now = new Date('2026-11-20T12:00:00.000Z')
let nowMs = 0
beforeEach(() => {
  nowMs = now.getTime()
})

const seal = (notice: Notice, id: string) => sealNotice(notice, id, { id: 'k', secret: key })
const sealed = (id: string, code: string): Delivery['sealed'] =>
  seal({ channel: 'sms', template: 'phone-code', to: '+15550001234', code }, id)
/** A person who turned the optional mails off. */
const quiet = 'bc5e0d43-3f0e-4b7e-9a55-0c1f2d3e4a5b'
const other = '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b'

const due = (id: string, changes: Partial<Delivery> = {}): Delivery => ({
  _id: id,
  sealed: sealed(id, '135790'),
  state: 'sending',
  attempts: 1,
  dueAt: new Date(now.getTime() + 30_000),
  expiresAt: new Date(now.getTime() + 60_000),
  lastError: null,
  createdAt: now,
  ...changes,
})

interface Faults {
  send?: () => Promise<void>
  /** Throws when the outcome cannot be stored. */
  store?: () => void
}

/** Attempts a claimed delivery; returns the texts that were sent, the calls to the store and the log. */
async function run(
  delivery: Delivery,
  { send = () => Promise.resolve(), store = () => undefined }: Faults = {},
) {
  const sent: string[] = []
  const notes: unknown[][] = []
  const log: { msg: string; noticeId: string; reason?: string }[] = []
  const write = (line: string) => log.push(JSON.parse(line) as (typeof log)[number])
  const note =
    (what: string) =>
    async ({ _id }: Delivery, ...rest: unknown[]) => {
      store()
      notes.push([what, _id, ...rest])
      return Promise.resolve()
    }
  const ctx = {
    clock: { now: () => new Date(nowMs), nowMs: () => nowMs },
    config: { NOTICE_KEYS: { k: key } },
    logger: createLogger({ service: 'notify', instance: 'test', level: 'warn' }, { write }),
    deliveries: {
      settle: note('settle'),
      release: note('release'),
    },
    preferences: { of: (userId: string) => Promise.resolve({ signInMails: userId !== quiet }) },
    sendMail: ({ subject }: { subject: string }) => Promise.resolve(void sent.push(subject)),
    sendSms: async ({ text }: { text: string }) => {
      await send()
      sent.push(text)
    },
  } as unknown as Context
  await attemptDelivery(ctx, delivery, { retryMs: 1 })
  return { sent, notes, log }
}

describe('a due delivery', () => {
  it('is sent and then settled', async () => {
    const { sent, notes } = await run(due('a'))
    expect(sent).toEqual([expect.stringContaining('135790')])
    expect(notes).toEqual([['settle', 'a', 'sent']])
  })

  it('is settled as expired instead of sending a code that is no longer valid', async () => {
    const { sent, notes } = await run(due('a', { expiresAt: now }))
    expect(sent).toEqual([])
    expect(notes).toEqual([['settle', 'a', 'expired']])
  })

  it('is not sent when it was sealed for another notice', async () => {
    const { sent, notes, log } = await run(due('a', { sealed: sealed('b', '135790') }))
    expect(sent).toEqual([])
    expect(notes).toEqual([['settle', 'a', 'failed', 'cannot be opened']])
    expect(log).toMatchObject([{ msg: 'notice could not be decrypted', noticeId: 'a' }])
  })

  it('is settled as failed when the mail server refuses the recipient permanently, and is not retried', async () => {
    const refusal = Object.assign(new Error('no'), { code: 'EENVELOPE', responseCode: 550 })
    const { notes, log } = await run(due('a'), { send: () => Promise.reject(refusal) })
    expect(notes).toEqual([['settle', 'a', 'failed', 'EENVELOPE 550']])
    const reason = 'EENVELOPE 550'
    expect(log).toMatchObject([{ msg: 'notice was refused permanently', noticeId: 'a', reason }])
  })

  it('is settled as expired when its sealed text was deleted', async () => {
    const { notes } = await run(due('a', { sealed: null }))
    expect(notes).toEqual([['settle', 'a', 'expired']])
  })

  it('is retried later when the mail server is away, and is not settled', async () => {
    const refused = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNECTION' }))
    const { sent, notes, log } = await run(due('a', { attempts: 3 }), { send: refused })
    expect(sent).toEqual([])
    expect(notes).toEqual([['release', 'a', new Date(now.getTime() + 4000), 'ECONNECTION']])
    const msg = 'notice could not be sent and will be retried'
    expect(log).toMatchObject([{ msg, noticeId: 'a', reason: 'ECONNECTION' }])
  })
})

it('is sent once although its outcome could be stored only at the third try', async () => {
  let failures = 0
  const store = () => {
    if (failures < 2) throw new Error(`the database is away ${(failures += 1)}`)
  }
  const { sent, notes } = await run(due('a'), { store })
  expect(sent).toHaveLength(1)
  expect(notes).toEqual([['settle', 'a', 'sent']])
  expect(failures).toBe(2)
})

it('is left to the next claim when its outcome could not be stored before the claim ended', async () => {
  let tries = 0
  const store = () => {
    tries += 1
    nowMs += 10_000
    throw new Error('the database is away')
  }
  await expect(run(due('a'), { store })).rejects.toThrow('the database is away')
  expect(tries).toBe(3)
})

it('is not attempted when less time than an attempt needs is left of the claim', async () => {
  const dueAt = new Date(now.getTime() + attemptTimeoutMs - 1)
  expect(await run(due('a', { dueAt }))).toMatchObject({ sent: [], notes: [] })
})

it('a mail about a sign-in is sent unless its receiver turned it off, and one about a change always', async () => {
  const mail = { channel: 'mail', to: 'ada@example.com', fullName: 'Ada' } as const
  const attempt = (notice: Notice) => run(due('a', { sealed: seal(notice, 'a') }))
  expect(await attempt({ ...mail, template: 'signed-in', userId: other })).toMatchObject({
    sent: ['New sign-in to your account'],
    notes: [['settle', 'a', 'sent']],
  })
  expect(await attempt({ ...mail, template: 'signed-in', userId: quiet })).toMatchObject({
    sent: [],
    notes: [['settle', 'a', 'expired', 'not wanted']],
  })
  for (const template of ['password-changed', 'app-reset'] as const)
    expect((await attempt({ ...mail, template })).sent).toHaveLength(1)
})
