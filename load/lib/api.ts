import http from 'k6/http'
import type { CookieJar } from 'k6/http'
import type { Message } from './ledger.ts'
import type { LoadPerson } from './load-person.ts'
import { gateway } from './people.ts'

/**
 * A request without an answer ends after this time. The product answers within 2 s, and the end of a run must not wait
 * long.
 */
export const requestTimeoutMs = 5000

/** A session is a person with the cookies of one browser. */
export interface Session extends LoadPerson {
  jar: CookieJar
}

/** Returns the session that seeding has opened for a person. */
export function sessionOf(person: LoadPerson): Session {
  const jar = new http.CookieJar()
  for (const [, name = '', value = ''] of person.cookie.matchAll(/([^=; ]+)=([^;]*)/g))
    jar.set(gateway, name, value)
  return { ...person, jar }
}

const paramsOf = ({ jar }: Session, name: string, headers: Record<string, string> = {}) => ({
  headers: { origin: gateway, ...headers },
  jar,
  timeout: requestTimeoutMs,
  tags: { name },
})

export const get = (session: Session, path: string, name = path) =>
  http.get(gateway + path, paramsOf(session, name))

export function post(session: Session, path: string, body?: object) {
  // The web client sends this header with a message; the gateway ignores it on other routes.
  const ofMessages = { 'x-conversation-id': session.conversationId }
  const token = { 'x-csrf-token': session.csrfToken, ...ofMessages }
  const headers = body ? { ...token, 'content-type': 'application/json' } : token
  return http.post(gateway + path, body ? JSON.stringify(body) : null, paramsOf(session, path, headers))
}

/** Fetches a new CSRF token for a session, as the web client does before every change. */
export function withFreshToken(session: Session): Session {
  const answer = get(session, '/api/csrf-token')
  return { ...session, csrfToken: answer.status === 200 ? (answer.json('csrfToken') as string) : '' }
}

export const getMessages = (session: Session, query: string) =>
  get(
    session,
    `/api/conversations/${session.conversationId}/messages?${query}`,
    '/api/conversations/:id/messages',
  )

function readMessages(session: Session, query: string): Message[] {
  const answer = getMessages(session, query)
  if (answer.status !== 200) throw new Error(`A history answered ${answer.status}: ${answer.body as string}`)
  return answer.json() as unknown as Message[]
}

/** Returns all messages after a sequence number, fetched page by page. */
export function historyAfter(session: Session, lastSeq: number): Message[] {
  const limit = 200
  const all: Message[] = []
  for (;;) {
    const page = readMessages(session, `after=${all.at(-1)?.seq ?? lastSeq}&limit=${limit}`)
    all.push(...page)
    if (page.length < limit) return all
  }
}

export const newestSeq = (session: Session): number => readMessages(session, 'limit=1')[0]?.seq ?? 0
