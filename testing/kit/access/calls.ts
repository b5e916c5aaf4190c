import { randomUUID } from 'node:crypto'
import { requestPhoneCode, verifyPhoneCode } from '@sumlock/contracts/auth-routes'
import { csrfCookie } from '@sumlock/contracts/cookies'
import type { ErrorBody } from '@sumlock/contracts/errors'
import type { RouteContract } from '@sumlock/contracts/route'
import { fillPath } from '../bad-input/bad-addresses.ts'
import { validSample } from '../bad-input/valid-sample.ts'
import type { Client } from '@sumlock/deployment/api-client'
import { freshPhone } from '../fresh-phone.ts'
import type { Cast } from './cast.ts'
import type { TokenName } from './verdicts.ts'

type NamedRoute = readonly [name: string, route: RouteContract]

/** A call of a route as somebody makes it who is in the right: only who they are can be why it is refused. */
export interface ReadyCall {
  /** Makes the call with this token; answers with what came back, headers and all. */
  make(token: TokenName): Promise<{ outcome: string; said: string }>
}

/** Everything a route asks for in beforehand: a phone to prove, a proof, names that are free. */
async function valuesFor(name: string, client: Client, cast: Cast): Promise<Record<string, unknown>> {
  const { bystander, conversationId } = cast
  const phone = freshPhone()
  const values = {
    ...{ phone, conversationId, id: conversationId, numericPassword: bystander.pin, isDiscreet: true },
  }
  const people = { userCode: bystander.user.userCode, userId: bystander.user.id }
  // Wrong on purpose: the right one would end the sessions that other calls are made with.
  if (name === 'endOtherSessions') return { password: `not ${bystander.password}` }
  if (name === 'login') return { username: bystander.username, password: bystander.password }
  if (name !== 'verifyPhoneCode' && name !== 'register') return { ...values, ...people }
  const { demoCode: code = '' } = await client.ok(requestPhoneCode, { body: { phone } })
  if (name === 'verifyPhoneCode') return { code }
  await client.ok(verifyPhoneCode, { body: { code } })
  const username = `n${randomUUID().slice(0, 12)}`
  return { phone, username, email: `${username}@example.com`, fullName: username, password: 'correct horse' }
}

/** Gets everything ready for one call of a route by one session. */
export async function readyCall(
  [name, route]: NamedRoute,
  client: Client,
  stranger: Client,
  cast: Cast,
): Promise<ReadyCall> {
  const values = await valuesFor(name, client, cast)
  const params = route.params ? (validSample(route.params, values) as Record<string, string>) : {}
  const body = route.body ? JSON.stringify(validSample(route.body, values)) : undefined
  const [own, foreign] = [await client.csrfToken(), await stranger.csrfToken()]
  const headersWith: Record<TokenName, () => Record<string, string>> = {
    none: () => ({}),
    own: () => ({ 'x-csrf-token': own }),
    foreign: () => {
      const name = csrfCookie(false)
      const cookies = new Map(client.cookies).set(name, stranger.cookies.get(name) ?? '')
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
      return { 'x-csrf-token': foreign, cookie }
    },
  }
  return {
    async make(token) {
      const answer = await client.raw(route.method, fillPath(route.path, params), {
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headersWith[token](),
        },
        ...(body === undefined ? {} : { body }),
      })
      const text = await answer.text()
      const said = `${JSON.stringify([...answer.headers])}\n${text}`
      if (answer.ok) return { outcome: '2xx', said }
      return { outcome: `${answer.status} ${(JSON.parse(text) as ErrorBody).code}`, said }
    },
  }
}
