import { platform } from '../features/device/platform.ts'
import { createCsrfTokens } from './csrf-tokens.ts'
import { createServerClock } from './server-clock.ts'

export interface ApiRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Lets the call finish after the page is left. */
  keepalive?: boolean
  /** The call fails after this time; the default is 15 s. */
  timeoutMs?: number
  /** Skips the listeners of 401 and 423; the caller handles both. */
  isQuiet?: boolean
}

const defaultTimeoutMs = 15_000

export interface ApiError {
  /** This is the HTTP status, or 0 if there was no answer. */
  status: number
  code: string
  /** The person may read this sentence. Without it, the caller has one of its own. */
  sentence?: string
  /** Logs contain this status and text of the answer. */
  message: string
  resetsAt?: string
  /** Each faulty field of the body has a sentence, by its name. */
  fields?: Record<string, string>
  /** The header Retry-After says how long to wait before the next try. */
  retryAfterSeconds?: number
}

/** `total` is the number of all entries if the answer is one page of them. */
export type ApiAnswer = { data: unknown; total?: number } | { error: ApiError }

type Refusal = 'locked' | 'signed-out'
const refusals: Partial<Record<number, Refusal>> = { 401: 'signed-out', 423: 'locked' }

export interface ClientOptions {
  fetch: typeof fetch
}

/**
 * Sends the calls of this page to the gateway, notifies listeners of refusals that concern the session, and measures
 * the server's clock.
 */
export function createClient({ fetch }: ClientOptions) {
  const listeners = new Set<(refusal: Refusal) => void>()
  const tokens = createCsrfTokens(fetch)
  let isSigningOut = false
  const clock = createServerClock()

  const listenTo = (wanted: Refusal, listener: () => void): (() => void) => {
    const onRefusal = (refusal: Refusal) => {
      if (refusal === wanted) listener()
    }
    listeners.add(onRefusal)
    return () => listeners.delete(onRefusal)
  }
  const notify = (refusal: Refusal) => {
    if (isSigningOut && refusal === 'signed-out') return
    for (const listener of listeners) listener(refusal)
  }
  const attempt = async (input: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> => {
    const { url, method = 'GET', body, keepalive = false } = input
    const headers: Record<string, string> = {
      ...input.headers,
      traceparent: `00-${randomHex(16)}-${randomHex(8)}-01`,
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (method !== 'GET') {
      const token = await tokens.take()
      if (token) headers['x-csrf-token'] = token
    }
    const init = { method, headers, credentials: 'include', keepalive, signal } as const
    const response = await fetch(
      platform.serverUrl() + url,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    )
    clock.read(response)
    return read(response)
  }

  return {
    /**
     * Sends one call to the gateway: cookies, CSRF for changes, JSON, and errors in one shape. Never throws, never
     * hangs.
     */
    async request(input: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
      const answer = await inTime(input, signal, async (limited) => {
        const first = await attempt(input, limited)
        // Another tab may have replaced the CSRF token after this page had fetched it.
        return 'error' in first && first.error.code === 'csrf_failed' ? attempt(input, limited) : first
      })
      const refusal = 'error' in answer ? refusals[answer.error.status] : undefined
      if (refusal && !input.isQuiet) notify(refusal)
      return answer
    },
    /** Fetches the CSRF token of the next change in advance, so that the change itself takes one round trip. */
    prepareChange: tokens.prepare,
    /** Calls back when a call is refused because the session is locked. */
    onLocked: (listener: () => void): (() => void) => listenTo('locked', listener),
    /** Calls back when a call is refused because the session has ended. */
    onSignedOut: (listener: () => void): (() => void) => listenTo('signed-out', listener),
    /**
     * Ignores 401s from now on: while the person signs out, another call may be refused first, and it must not open the
     * sign-in instead of the calculator. Call the returned function if the sign-out fails.
     */
    expectSignedOut: (): (() => void) => {
      isSigningOut = true
      return () => {
        isSigningOut = false
      }
    },
    /** Notifies the listeners of `onSignedOut` when the socket, and not a call, was refused. */
    reportSignedOut: (): void => notify('signed-out'),
    nowMs: clock.nowMs,
  }
}

export type Client = ReturnType<typeof createClient>

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** Returns the answer of `call`, or the error for no connection if `call` fails or exceeds the time limit. */
async function inTime(
  { timeoutMs = defaultTimeoutMs }: ApiRequest,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const giveUp = new AbortController()
  const abort = () => giveUp.abort()
  const timer = setTimeout(abort, timeoutMs)
  const gaveUp = new Promise<never>((_resolve, reject) => {
    giveUp.signal.addEventListener('abort', () => reject(new Error('aborted')))
  })
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    return await Promise.race([call(giveUp.signal), gaveUp])
  } catch {
    return {
      error: {
        status: 0,
        code: 'no_connection',
        sentence: 'No connection. Please try again.',
        message: '0: no connection',
      },
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

async function read(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const data: unknown = isJson && text !== '' ? JSON.parse(text) : null
  const total = response.headers.get('x-total-count')
  if (response.ok) return total === null ? { data } : { data, total: Number(total) }
  const { error, code, resetsAt, fields } = (data ?? {}) as Partial<
    Record<'error' | 'code' | 'resetsAt', string>
  > &
    Pick<ApiError, 'fields'>
  const retryAfterSeconds = Number(response.headers.get('retry-after'))
  return {
    error: {
      status: response.status,
      code: code ?? 'unknown',
      message: `${response.status}: ${text || response.statusText}`,
      ...(error ? { sentence: error } : {}),
      ...(resetsAt ? { resetsAt } : {}),
      ...(fields ? { fields } : {}),
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  }
}
