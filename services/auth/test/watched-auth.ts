import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as account from '@sumlock/contracts/account-routes'
import * as auth from '@sumlock/contracts/auth-routes'
import { phoneProofCookie, sessionCookie } from '@sumlock/contracts/cookies'
import * as links from '@sumlock/contracts/mail-link-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { currentRequest } from '@sumlock/service-kit/request-context'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { openNamespace } from '@sumlock/testing/namespace'
import { monitored } from '@sumlock/testing/watch-commands'
import { createPublicApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import { createOpaque, hashOpaque } from '../src/domain/opaque.ts'
import { exchangeSession } from '../src/use-cases/exchange-session.ts'
import { shapeOf } from './shape-of.ts'

export interface Watched {
  status: number
  /** Headers and body, each text by its length. */
  answer: unknown
  /** Every command to the database until the answer, each text by its length. */
  commands: readonly unknown[]
  tookMs: number
  cookies: readonly string[]
}

const [sid, proofCookie] = [sessionCookie(false), phoneProofCookie(false)]
const password = 'correct horse'
const lifetimeMs = 86_400_000

/** Auth in this process, behind its public port, with every command that it sends to its database while it answers. */
export async function openWatchedAuth() {
  const namespace = await openNamespace()
  const env = namespace.environmentOf('auth')
  const ctx = await createContext(readConfig({ ...env, MONGO_URL: monitored(String(env['MONGO_URL'])) }))
  const [commandsOf, answered] = [new Map<string, unknown[]>(), new Map<string, unknown[]>()]
  ctx.connection.getClient().on('commandStarted', ({ command }: { command: object }) => {
    const { lsid: _session, $clusterTime: _time, ...told } = command as Record<string, unknown>
    commandsOf.get(currentRequest()?.requestId ?? '')?.push(shapeOf(told))
  })
  const app = createPublicApp(ctx)
  const server: Server = createServer((request, response: ServerResponse) => {
    const id = String(request.headers['x-request-id'])
    // Work after the answer is not counted.
    response.once('prefinish', () => {
      answered.set(id, commandsOf.get(id) ?? [])
      commandsOf.delete(id)
    })
    app(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const call = async (route: RouteContract, body: object, headers: Record<string, string> = {}) => {
    const id = randomUUID()
    commandsOf.set(id, [])
    const startedAt = performance.now()
    const response = await fetch(origin + route.path, {
      method: route.method,
      headers: { 'content-type': 'application/json', 'x-request-id': id, ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const tookMs = performance.now() - startedAt
    const commands = answered.get(id) ?? []
    answered.delete(id)
    const answer = shapeOf({ headers: [...response.headers], body: JSON.parse(text) as unknown, text })
    return { status: response.status, answer, commands, tookMs, cookies: response.headers.getSetCookie() }
  }

  /** A cookie that proves the phone. */
  const prove = async (phone: string) => {
    const [proof, now] = [createOpaque(), new Date()]
    const expiresAt = new Date(now.getTime() + lifetimeMs)
    await ctx.connection.collection('phone_verifications').insertOne({
      ...{ _id: hashOpaque(proof) as never, phone, codeMac: 'mac', guesses: 0 },
      ...{ sentAt: now, verifiedAt: now, usedAt: null, expiresAt },
    })
    return `${proofCookie}=${proof}`
  }
  const register = async (email: string): Promise<Watched> => {
    const phone = freshPhone()
    const username = `u${randomUUID().slice(0, 12)}`
    const body = { username, email, password, phone, fullName: 'Ada King' }
    return call(auth.register, body, { cookie: await prove(phone) })
  }
  return {
    ctx,
    register,
    /** A caller for `change`. */
    async signedIn() {
      const { cookies } = await register(`${randomUUID()}@example.com`)
      await ctx.background.settled()
      const cookie = cookies.find((one) => one.startsWith(`${sid}=`))?.split(/[=;]/)[1] ?? ''
      return `Bearer ${(await exchangeSession(ctx, { cookie, wanted: 'each' })).tokens?.auth}`
    },
    change: (authorization: string, email: string): Promise<Watched> =>
      call(account.changeEmail, { password, email }, { authorization }),
    askForReset: (email: string): Promise<Watched> => call(links.requestPasswordReset, { email }),
    /** Another request, whose time may reveal the work that the previous one has left. */
    openLink: (): Promise<Watched> => call(links.verifyEmail, { token: 'invented' }),
    async close() {
      await ctx.background.settled()
      await new Promise((resolve) => server.close(resolve))
      await ctx.close()
      await namespace.close()
    },
  }
}
