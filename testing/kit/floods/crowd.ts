import { setImmediate } from 'node:timers/promises'
import { getUser } from '@sumlock/contracts/auth-routes'
import { requestUpload } from '@sumlock/contracts/media-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Client } from '@sumlock/deployment/api-client'
import { answerOf, get, openRequest, put, someBytes } from '../media.ts'
import { adminPerson, befriend, makePremium, unlockedPerson } from '../people.ts'
import type { RunningStack } from '../shared-stack.ts'

/** A member may send any number of messages in one conversation. */
export interface Member {
  client: Client
  conversationId: string
}

/** Only this many pairs are made at a time, because the set-up must also work on a small machine. */
const madeAtOnce = 5

/** Makes people in pairs. One person of each pair has premium, which lifts the daily limit for both. */
export async function premiumMembers(stack: RunningStack, count: number): Promise<Member[]> {
  const admin = await adminPerson(stack)
  const members: Member[] = []
  const addPair = async () => {
    const [first, second] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    await makePremium(admin, first)
    const { id: conversationId } = await befriend(first, second)
    for (const { client } of [first, second]) {
      client.keptToken = await client.csrfToken()
      members.push({ client, conversationId })
    }
  }
  const addPairs = async () => {
    while (members.length < count) await addPair()
  }
  await Promise.all(Array.from({ length: madeAtOnce }, addPairs))
  return members.slice(0, count)
}

const upload = someBytes(20_000)
const resendsAtMost = 3

/**
 * The gateway may close a connection that was idle for long while the next request is on its way. Browsers then send
 * the request once more. A test process that was held up has several such connections at once.
 */
const endedWithoutAnswer = ({ cause }: Error) =>
  ['UND_ERR_SOCKET', 'ECONNRESET'].includes((cause as { code?: string } | undefined)?.code ?? '')

/**
 * Sends messages from all members in turn. Once a second, it also uploads and downloads a file, and makes a request
 * over a new connection.
 */
export function startCrowd(members: readonly Member[], perSecond: number) {
  const refusals: string[] = []
  const running = new Set<Promise<void>>()
  const startedAt = performance.now()
  let sent = 0
  let answered = 0
  let resent = 0
  let files = 0

  const attempt = async (call: () => Promise<number | undefined>) => {
    for (let left = resendsAtMost; ; left -= 1)
      try {
        return await call()
      } catch (error) {
        if (left === 0 || !endedWithoutAnswer(error as Error)) throw error
        resent += 1
        // Until then, the other connections that ended at the same time are noticed as well.
        await setImmediate()
      }
  }
  const run = (what: string, call: () => Promise<number | undefined>, wanted: number) => {
    const begunAt = performance.now()
    const one = attempt(call)
      .catch((error: Error) => `${error.message} ${String(error.cause)}`)
      .then((outcome) => {
        if (outcome === wanted) return
        const ms = Math.round(performance.now() - begunAt)
        refusals.push(`${what} after ${Math.round(begunAt - startedAt)} ms: ${outcome} (${ms} ms)`)
      })
    running.add(one)
    void one.finally(() => running.delete(one))
  }

  const send = async () => {
    const { client, conversationId } = members[sent % members.length] as Member
    sent += 1
    const { status } = await client.call(sendMessage, { body: { conversationId, content: `no. ${sent}` } })
    answered += 1
    return status
  }
  // A timer falls behind on a busy machine, so the clock decides how many messages are due.
  const sendDue = () => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    while (sent < due) run('a send', send, 201)
  }
  const uploadAndRead = async () => {
    // Members upload in turn, because a person may have only a few files that are in no message.
    const { client } = members[(files += 1) % members.length] as Member
    const { pathname } = new URL(
      (await client.ok(requestUpload, { body: { size: upload.length } })).uploadURL,
    )
    const { status } = await put(client, pathname, upload)
    return status === 200 ? (await get(client, pathname)).status : status
  }
  const newConnection = async () => {
    const { client } = members[sent % members.length] as Member
    const asked = openRequest(client, 'GET', getUser.path)
    asked.end()
    const answer = await answerOf(asked)
    answer?.resume()
    return answer?.statusCode
  }

  const timers = [
    setInterval(sendDue, 5),
    setInterval(() => run('an upload and its download', uploadAndRead, 200), 1000),
    setInterval(() => run('a new connection', newConnection, 200), 1000),
  ]
  return {
    async stop() {
      timers.forEach(clearInterval)
      const answeredPerSecond = (1000 * answered) / (performance.now() - startedAt)
      await Promise.all(running)
      return { sent, resent, answeredPerSecond, refusals }
    },
  }
}
