import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { logout } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { lock } from '@sumlock/contracts/lock-routes'
import { listConversations, sendMessage } from '@sumlock/contracts/messaging-routes'
import { redeemCode } from '@sumlock/contracts/subscription-routes'
import { Client } from '@sumlock/deployment/api-client'
import type { RunningStack } from '../shared-stack.ts'
import type { FailoverPeople, Subject } from './failover-people.ts'

export const kindsOfWrites = ['send', 'lock', 'revocation', 'grant', 'block', 'redemption'] as const
export type KindOfWrite = (typeof kindsOfWrites)[number]

/** A write was repeated until it was acknowledged. Times are those of `performance.now()`. */
export interface AcknowledgedWrite {
  readonly kind: KindOfWrite
  readonly triedAt: number
  readonly acknowledgedAt: number
  readonly refusals: readonly string[]
}

/** A session got data by a call that was made after its end had been acknowledged. */
export interface AnswerAfterEnd {
  readonly kind: KindOfWrite
  readonly endedAt: number
  readonly askedAt: number
}

export interface FailoverLoad {
  readonly writes: readonly AcknowledgedWrite[]
  readonly sentIds: readonly string[]
  readonly grantIds: ReadonlyMap<Subject, string>
  readonly answersAfterEnd: readonly AnswerAfterEnd[]
  /** This counts the calls of ended sessions, whether they were refused or answered. */
  readonly asked: number
  /** Resolves once each subject has made all its writes and these are acknowledged. */
  done(): Promise<unknown>
  stop(): Promise<void>
}

const retryMs = 500
const answerWithinMs = 10_000
const watchMs = { before: 6000, afterwards: 1000 }

interface Times {
  sendMs: number
  /** The next subject begins after this time. */
  subjectMs: number
}

/**
 * Sends messages continuously, and makes the other kinds of writes once for each subject: a lock, a revocation, a
 * grant, a block and a redemption.
 */
export function startFailoverLoad(
  stack: RunningStack,
  { admin, writer, conversationId, subjects }: FailoverPeople,
  { sendMs, subjectMs }: Times,
): FailoverLoad {
  const writes: AcknowledgedWrite[] = []
  const sentIds: string[] = []
  const grantIds = new Map<Subject, string>()
  const answersAfterEnd: AnswerAfterEnd[] = []
  let asked = 0
  let isStopped = false

  const write = async (kind: KindOfWrite, attempt: (signal: AbortSignal) => Promise<number>) => {
    const triedAt = performance.now()
    const refusals: string[] = []
    for (;;) {
      const outcome = await attempt(AbortSignal.timeout(answerWithinMs)).catch(String)
      // After a revocation whose answer was lost, the session does not exist any more.
      if (outcome === 200 || outcome === 201 || (kind === 'revocation' && outcome === 401)) break
      refusals.push(String(outcome))
      await wait(retryMs)
    }
    const acknowledgedAt = performance.now()
    writes.push({ kind, triedAt, acknowledgedAt, refusals })
    return acknowledgedAt
  }

  const send = async () => {
    while (!isStopped) {
      const body = { conversationId, content: `no. ${sentIds.length + 1}`, clientMessageId: randomUUID() }
      await write('send', async (signal) => {
        const answer = await writer.client.call(sendMessage, { body }, { signal })
        if (answer.status < 300) sentIds.push(answer.body.id)
        return answer.status
      })
      await wait(sendMs)
    }
  }

  /** Uses a session at the other gateway before and after its end, so that this gateway has it in its cache. */
  const watch = async (kind: KindOfWrite, client: Client, end: () => Promise<number>, endAfterMs: number) => {
    let endedAt: number | undefined
    const ending = wait(endAfterMs)
      .then(end)
      .then((at) => void (endedAt = at))
    const other = elsewhere(stack, client)
    while (!isStopped) {
      const [askedAt, before] = [performance.now(), endedAt]
      const status = await statusOf(other)
      if (before !== undefined) asked += 1
      if (before !== undefined && status === 200) answersAfterEnd.push({ kind, endedAt: before, askedAt })
      await wait(before === undefined ? watchMs.before * (0.5 + Math.random()) : watchMs.afterwards)
    }
    await ending
  }

  let blocking: Promise<unknown> = Promise.resolve()
  /** The writer blocks one subject after the other, as a person would. */
  const block = (subject: Subject) => {
    const input = { params: { id: subject.conversationId }, body: { isBlocked: true } }
    const attempt = async (signal: AbortSignal) =>
      (await writer.client.call(setConversationState, input, { signal })).status
    blocking = blocking.then(() => write('block', attempt))
    return blocking
  }

  const turns = subjects.map(async (subject, index) => {
    const { person, second } = subject
    const after = index * subjectMs
    const grantId = randomUUID()
    grantIds.set(subject, grantId)
    const locked = () =>
      write('lock', async (signal) => (await person.client.call(lock, {}, { signal })).status)
    const revoked = () =>
      write('revocation', async (signal) => (await second.call(logout, {}, { signal })).status)
    const watching = [
      watch('lock', person.client, locked, after),
      watch('revocation', second, revoked, after),
    ]
    await wait(after)
    await Promise.all([
      write('grant', async (signal) => {
        const body = { grantId, userId: person.user.id, days: 30 }
        return (await admin.client.call(grantPremium, { body }, { signal })).status
      }),
      block(subject),
      write('redemption', async (signal) => {
        const body = { upgradeCode: subject.upgradeCode }
        return (await person.client.call(redeemCode, { body }, { signal })).status
      }),
    ])
    return watching
  })
  const sending = send()
  return {
    writes,
    sentIds,
    grantIds,
    answersAfterEnd,
    get asked() {
      return asked
    },
    done: () => Promise.all(turns),
    async stop() {
      isStopped = true
      const watching = (await Promise.all(turns)).flat()
      await Promise.all([sending, ...watching])
    },
  }
}

/** Returns a client with the same session at the second gateway. */
function elsewhere(stack: RunningStack, { cookies, origin }: Client): Client {
  const other = new Client({ gatewayUrl: stack.service('gateway', 1).publicUrl, origin })
  for (const [name, value] of cookies) other.cookies.set(name, value)
  return other
}

const statusOf = (client: Client): Promise<number | null> =>
  client.call(listConversations, {}, { signal: AbortSignal.timeout(answerWithinMs) }).then(
    ({ status }) => status,
    () => null,
  )
