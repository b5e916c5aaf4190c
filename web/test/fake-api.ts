import { contactsPath } from '@sumlock/contracts/contacts'
import { api } from '../src/api/base-api.ts'
import { store } from './page.ts'

const contacts = {
  support: 'support@calculator.example',
  privacy: 'privacy@calculator.example',
  legal: 'legal@calculator.example',
}

interface FakeResponse {
  status: number
  body?: unknown
  headers?: Record<string, string>
}
export type Answer = FakeResponse | 'no connection' | Promise<FakeResponse>

/**
 * Replaces the gateway: answers by `METHOD /path`, with or without the query, answers 404 for everything else, and
 * records the calls.
 */
export function fakeApi(answers: Record<string, (body: unknown) => Answer>) {
  const asked: string[] = []
  const keptAlive: string[] = []
  const real = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const call = `${init?.method ?? 'GET'} ${input as string}`
    if (input === contactsPath) return Response.json(contacts)
    asked.push(call)
    if (init?.keepalive) keptAlive.push(call)
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const given = await ((answers[call] ?? answers[call.split('?')[0] as string])?.(body) ?? {
      status: call.includes('csrf') ? 200 : 404,
      body: {},
    })
    if (given === 'no connection') throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(given.body ?? {}), {
      status: given.status,
      headers: { 'content-type': 'application/json', ...given.headers },
    })
  }
  return {
    asked,
    /** The calls that may outlive the page. */
    keptAlive,
    answers,
    restore: () => {
      globalThis.fetch = real
      store.dispatch(api.util.resetApiState())
    },
  }
}

export const refusal = (status: number, code: string, error = code) => ({
  status,
  body: { error, code, requestId: 'r' },
})

export const lockedUser = {
  id: 'u1',
  username: 'ada',
  isSetupComplete: true,
  silentCheck: false,
  unlockedUntil: null,
  unlockPausedUntil: null,
  userCode: 'ABCD-EFGH-J',
  isDiscreet: false,
  isEmailVerified: true,
}
export const unlockedUser = { ...lockedUser, unlockedUntil: '2030-01-01T00:00:00.000Z' }
