export interface ApiRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  body?: unknown
}

export interface ApiError {
  /** The HTTP status; 0 when nobody answered. */
  status: number
  code: string
  /** For a person. */
  sentence: string
  /** `status: text`, for a log. */
  message: string
  resetsAt?: string
}

export type ApiAnswer = { data: unknown } | { error: ApiError }

const lockedListeners = new Set<() => void>()
/** Told when a call is refused because the session is locked. */
export const onLocked = (listener: () => void): (() => void) => {
  lockedListeners.add(listener)
  return () => lockedListeners.delete(listener)
}

let tokenUnderWay: Promise<string | undefined> | undefined

/** A fresh CSRF token; calls that come together share one, because each new token replaces the one before. */
function csrfToken(): Promise<string | undefined> {
  tokenUnderWay ??= fetch('/api/csrf-token', { credentials: 'include' })
    .then(async (response) => ((await response.json()) as { csrfToken: string }).csrfToken)
    .catch((error: unknown) => {
      console.warn('No CSRF token', error)
      return undefined
    })
    .finally(() => {
      tokenUnderWay = undefined
    })
  return tokenUnderWay
}

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** One call to the gateway: cookies, CSRF for changes, JSON, and errors in one shape. Never throws. */
export async function request(
  { url, method = 'GET', body }: ApiRequest,
  signal?: AbortSignal,
): Promise<ApiAnswer> {
  const attempt = async () => {
    const headers: Record<string, string> = { traceparent: `00-${randomHex(16)}-${randomHex(8)}-01` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (method !== 'GET') {
      const token = await csrfToken()
      if (token) headers['x-csrf-token'] = token
    }
    return fetch(url, {
      method,
      headers,
      credentials: 'include',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  }
  try {
    let answer = await read(await attempt())
    // Another tab may have replaced the token between our two steps.
    if ('error' in answer && answer.error.code === 'csrf_failed') answer = await read(await attempt())
    if ('error' in answer && answer.error.status === 423) for (const listener of lockedListeners) listener()
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
  }
}

async function read(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const data: unknown = isJson && text !== '' ? JSON.parse(text) : null
  if (response.ok) return { data }
  const { error, code, resetsAt } = (data ?? {}) as { error?: string; code?: string; resetsAt?: string }
  return {
    error: {
      status: response.status,
      code: code ?? 'unknown',
      sentence: error ?? 'Something went wrong. Please try again.',
      message: `${response.status}: ${text || response.statusText}`,
      ...(resetsAt ? { resetsAt } : {}),
    },
  }
}
