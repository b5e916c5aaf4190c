import type { RouteName } from '@sumlock/contracts/all-routes'
import { csrfCookie } from '@sumlock/contracts/cookies'
import type { ErrorBody } from '@sumlock/contracts/errors'
import type { RouteContract } from '@sumlock/contracts/route'
import type { Client } from '@sumlock/deployment/api-client'
import { exampleCall, prepareExample } from '../example-calls.ts'
import type { Actors } from './actors.ts'
import type { TokenName } from './verdicts.ts'

export type NamedRoute = readonly [name: RouteName, route: RouteContract]

/**
 * Prepares the example of a route for one session, so that only the session and the token can be the reason for a
 * refusal. The token of the other session, `stranger`, must not work. Returns a function that makes the call with a
 * kind of token; `text` is the whole answer with its headers.
 */
export async function readyCall(
  [name, route]: NamedRoute,
  client: Client,
  stranger: Client,
  { bystander, conversationId }: ReturnType<Actors['namedBy']>,
): Promise<(token: TokenName) => Promise<{ outcome: string; text: string }>> {
  const { path, search, body } = exampleCall(route, {
    conversationId,
    userId: bystander.user.id,
    userCode: bystander.user.userCode,
    username: bystander.username,
    // Only the bystander has this password, so the call ends no session that other calls use.
    password: bystander.password,
    numericPassword: bystander.pin,
    ...(await prepareExample(name, client)),
  })
  const own = await client.csrfToken()
  const foreign = await stranger.csrfToken()
  const cookieName = csrfCookie(false)
  const tokenHeaders: Record<TokenName, () => Record<string, string>> = {
    none: () => ({}),
    own: () => ({ 'x-csrf-token': own }),
    foreign: () => {
      const cookies = new Map(client.cookies).set(cookieName, stranger.cookies.get(cookieName) ?? '')
      return { 'x-csrf-token': foreign, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }
    },
  }
  return async (token) => {
    const answer = await client.raw(route.method, path + search, {
      headers: { ...(body && { 'content-type': 'application/json' }), ...tokenHeaders[token]() },
      ...(body && { body: JSON.stringify(body) }),
    })
    const content = await answer.text()
    const text = `${JSON.stringify([...answer.headers])}\n${content}`
    if (answer.ok) return { outcome: '2xx', text }
    return { outcome: `${answer.status} ${(JSON.parse(content) as ErrorBody).code}`, text }
  }
}
