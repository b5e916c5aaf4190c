import { platform } from '../features/device/platform.ts'
import { noteServerDate } from '../shared/lib/server-clock.ts'

export interface ApiRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Lets the call finish after the page is left. */
  keepalive?: boolean
  /** Time limit of the call; 15 s by default. */
  timeoutMs?: number
  /** Skips the listeners of 401 and 423: the caller handles both. */
  isQuiet?: boolean
}

const defaultTimeoutMs = 15_000

export interface ApiError {
  /** The HTTP status; 0 without an answer. */
  status: number
  code: string
  /** The sentence to show, if the server gave one. */
  sentence?: string
  /** `status: text`, for a log. */
  message: string
  resetsAt?: string
  /** A sentence for each faulty field of the body, by name. */
  fields?: Record<string, string>
  /** When to ask again, from the header Retry-After. */
  retryAfterSeconds?: number
}

/** `total`: how many there are in all, where the answer is one page. */
export type ApiAnswer = { data: unknown; total?: number } | { error: ApiError }

type Refusal = 'locked' | 'signed-out'
const refusals: Partial<Record<number, Refusal>> = { 401: 'signed-out', 423: 'locked' }
const listeners = new Set<(refusal: Refusal) => void>()

const listenTo = (wanted: Refusal, listener: () => void): (() => void) => {
  const onRefusal = (refusal: Refusal) => {
    if (refusal === wanted) listener()
  }
  listeners.add(onRefusal)
  return () => listeners.delete(onRefusal)
}
let isSigningOut = false
const notify = (refusal: Refusal) => {
  if (isSigningOut && refusal === 'signed-out') return
  for (const listener of listeners) listener(refusal)
}
/** Runs when a call is refused because the session is locked. */
export const onLocked = (listener: () => void): (() => void) => listenTo('locked', listener)
/** Runs when a call is refused because the session has ended. */
export const onSignedOut = (listener: () => void): (() => void) => listenTo('signed-out', listener)
/**
 * Ignores 401s from now on: while the person signs out, another call may be refused first, and must not open the sign-in
 * instead of the calculator. Call the returned function if the sign-out fails.
 */
export function expectSignedOut(): () => void {
  isSigningOut = true
  return () => {
    isSigningOut = false
  }
}
/** Reports a refusal that did not come from a call. */
export const reportSignedOut = (): void => notify('signed-out')

let pendingToken: Promise<string | undefined> | undefined
let tokenAhead: Promise<string | undefined> | undefined

/** Fetches the CSRF token of the next change ahead, so that the change itself is one round trip. */
export const prepareChange = (): void => void (tokenAhead ??= fetchToken())

/** The CSRF token that was fetched ahead for this change, or a fresh one. */
async function csrfToken(): Promise<string | undefined> {
  const ahead = tokenAhead
  tokenAhead = undefined
  return (await ahead) ?? fetchToken()
}

/** Concurrent calls share one token, because each new one replaces the previous one. */
function fetchToken(): Promise<string | undefined> {
  pendingToken ??= fetch(`${platform.serverUrl()}/api/csrf-token`, {
    credentials: 'include',
    signal: AbortSignal.timeout(defaultTimeoutMs),
  })
    .then(async (response) => ((await response.json()) as { csrfToken: string }).csrfToken)
    .catch((error: unknown) => {
      console.warn('No CSRF token', error)
      return undefined
    })
    .finally(() => {
      pendingToken = undefined
    })
  return pendingToken
}

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** One call to the gateway: cookies, CSRF for changes, JSON, and errors in one shape. Never throws, never hangs. */
export async function request(input: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
  const { url, method = 'GET', body, timeoutMs = defaultTimeoutMs, keepalive = false, isQuiet } = input
  const giveUp = new AbortController()
  const abort = () => giveUp.abort()
  const timer = setTimeout(abort, timeoutMs)
  const gaveUp = new Promise<never>((_resolve, reject) => {
    giveUp.signal.addEventListener('abort', () => reject(new Error('aborted')))
  })
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)

  const attempt = async () => {
    const headers: Record<string, string> = {
      ...input.headers,
      traceparent: `00-${randomHex(16)}-${randomHex(8)}-01`,
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (method !== 'GET') {
      const token = await csrfToken()
      if (token) headers['x-csrf-token'] = token
    }
    const init = { method, headers, credentials: 'include', keepalive, signal: giveUp.signal } as const
    return read(
      await fetch(
        platform.serverUrl() + url,
        body === undefined ? init : { ...init, body: JSON.stringify(body) },
      ),
    )
  }
  const whole = async () => {
    const answer = await attempt()
    // Another tab may have replaced the token between the two steps.
    return 'error' in answer && answer.error.code === 'csrf_failed' ? attempt() : answer
  }
  try {
    const answer = await Promise.race([whole(), gaveUp])
    const refusal = 'error' in answer ? refusals[answer.error.status] : undefined
    if (refusal && !isQuiet) notify(refusal)
    return answer
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
  noteServerDate(response.headers.get('date'))
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
