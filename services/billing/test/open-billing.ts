import type { RouteContract } from '@sumlock/contracts/route'
import { tokenIssuer } from '@sumlock/contracts/token'
import { startLocalServer } from '@sumlock/testing/local-server'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import jwt from 'jsonwebtoken'
import { randomUUID } from 'node:crypto'
import { createPublicApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'

/** The fields of all answers; a test reads the fields of its route. */
export interface AnswerBody {
  code: string
  error: string
  status: string
  paymentId: string
  checkoutUrl: string
  upgradeCode: string
  gift: { upgradeCode: string; recipientEmail: string }
  premiumUntil: string
  segments: { source: string; startsAt: string; endsAt: string }[]
  ended: { what: string; reason: string; at: string }[]
}

export interface Answer {
  status: number
  body: AnswerBody
}

export interface OpenBilling {
  ctx: Context
  call(
    contract: RouteContract,
    options?: {
      userId?: string
      body?: object | string
      params?: Record<string, string>
      headers?: Record<string, string>
    },
  ): Promise<Answer>
  close(): Promise<void>
}

/**
 * billing inside the test process, with other settings than the shared stack and on its database and engines. `now`
 * replaces the clock of its use cases.
 */
export async function openBilling(
  stack: RunningStack,
  settings: Record<string, string> = {},
  now?: () => Date,
): Promise<OpenBilling> {
  const { environment } = stack.service('billing')
  const config = readConfig({
    ...environment,
    LOG_LEVEL: 'silent',
    PROVIDER_TIMEOUT_MS: '1500',
    INSTANCE: 'billing-test',
    ...settings,
  })
  const opened = await createContext(config)
  const ctx = now ? { ...opened, clock: { now, nowMs: () => now().getTime() } } : opened
  const { url, close } = await startLocalServer(createPublicApp(ctx))

  const tokenOf = (userId: string) => {
    const seconds = Math.floor(ctx.clock.nowMs() / 1000)
    const claims = {
      aud: 'billing',
      sub: userId,
      sid: randomUUID(),
      admin: false,
      unlockedUntil: seconds + 60,
      signedInAt: seconds,
      passwordGivenAt: seconds,
    }
    return jwt.sign(
      { ...claims, iat: seconds, exp: seconds + 60, iss: tokenIssuer },
      stack.secrets.tokenPrivateKey,
      {
        algorithm: 'ES256',
        keyid: stack.secrets.tokenKid,
      },
    )
  }
  return {
    ctx,
    async call({ method, path }, { userId, body, params = {}, headers = {} } = {}) {
      const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
      const response = await fetch(url + filled, {
        method,
        headers: {
          ...(userId ? { authorization: `Bearer ${tokenOf(userId)}` } : {}),
          ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as AnswerBody }
    },
    async close() {
      await close()
      await opened.close()
    },
  }
}
