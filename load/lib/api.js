import http from 'k6/http'
import { gateway } from './setting.js'

/** Longer than the product ever takes (2 s) and short enough to see the end of a run. */
export const answerWithinMs = 5000

/** One request of a person, with the headers a browser would send. The cookies are the person's own: k6's jar stays empty. */
function paramsOf({ cookie }, name, headers = {}) {
  return {
    headers: { cookie, origin: gateway, ...headers },
    jar: new http.CookieJar(),
    timeout: answerWithinMs,
    tags: { name },
  }
}

export const get = (person, path, name = path) => http.get(gateway + path, paramsOf(person, name))

/** @param {object} [body] */
export function post(person, path, body) {
  const headers = {
    'x-csrf-token': person.csrfToken,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const text = body === undefined ? null : JSON.stringify(body)
  return http.post(gateway + path, text, paramsOf(person, path, headers))
}

/** The cookies of a browser after an answer: what it brought replaces what was there. */
export function cookiesAfter(cookie, answer) {
  const kept = new Map(cookie.split('; ').flatMap((pair) => (pair === '' ? [] : [splitPair(pair)])))
  for (const [name, [first]] of Object.entries(answer.cookies)) {
    if (first.value === '') kept.delete(name)
    else kept.set(name, first.value)
  }
  return [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
}

function splitPair(pair) {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** The person with a token fetched just now, as the client does before every change. @param {any} person */
export function withFreshToken(person) {
  const answer = get(person, '/api/csrf-token')
  const csrfToken = answer.status === 200 ? String(answer.json('csrfToken')) : ''
  return { ...person, csrfToken, cookie: cookiesAfter(person.cookie, answer) }
}

export const getMessages = (person, query) =>
  get(
    person,
    `/api/conversations/${person.conversationId}/messages?${query}`,
    '/api/conversations/:id/messages',
  )

/** Everything after a message, page by page. */
export function historyAfter(person, lastSeq) {
  const limit = 200
  const all = []
  for (let after = lastSeq; ;) {
    const answer = getMessages(person, `after=${after}&limit=${limit}`)
    if (answer.status !== 200) throw new Error(`A history answered ${answer.status}: ${answer.body}`)
    const page = /** @type {any} */ (answer.json())
    all.push(...page)
    if (page.length < limit) return all
    after = page[page.length - 1].seq
  }
}

export function newestSeq(person) {
  const answer = getMessages(person, 'limit=1')
  if (answer.status !== 200) throw new Error(`A history answered ${answer.status}: ${answer.body}`)
  return Number(answer.json('0.seq') ?? 0)
}
