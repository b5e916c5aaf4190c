import type { ErrorBody } from '@sumlock/contracts/errors'
import type { RouteContract, RouteInput } from '@sumlock/contracts/route'
import type { z } from 'zod'

type AnswerOf<R extends RouteContract> = z.output<R['responses'][keyof R['responses']]>
type Sent<R extends RouteContract> = {
  [key in keyof RouteInput<R> as RouteInput<R>[key] extends undefined ? never : key]?: R[key &
    keyof R] extends z.ZodType
    ? z.input<R[key & keyof R]>
    : never
}

export interface Answer<T> {
  status: number
  body: T
  headers: Headers
}

/** Thrown by `ok` for anything that is not a success. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  readonly code: string | undefined
  readonly resetsAt: string | undefined

  constructor(status: number, body: unknown) {
    const { error, code, resetsAt } = (body ?? {}) as Partial<ErrorBody>
    super(`${status}: ${error ?? 'no answer body'}`)
    this.status = status
    this.code = code
    this.resetsAt = resetsAt
  }
}

export interface RawInit {
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

export type CallInit = Pick<RawInit, 'signal' | 'headers'>

export interface ClientOptions {
  gatewayUrl: string
  /** Sent as Origin, as a browser would; the gateway's own address when absent. */
  origin?: string
  /** Sent with every request, such as headers that a proxy adds. */
  headers?: Record<string, string>
}

/** Calls the gateway like the browser: keeps cookies, and sends a CSRF token with every change. */
export class Client {
  readonly gatewayUrl: string
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly cookies = new Map<string, string>()
  /** One token for all changes, concurrent ones included: a token fetched for each would replace the cookie of the others. */
  keptToken: string | undefined
  /** The token is sent again while the cookies it belongs to are the same. */
  #last: { token: string; cookies: string } | undefined

  constructor({ gatewayUrl, origin = gatewayUrl, headers = {} }: ClientOptions) {
    this.gatewayUrl = gatewayUrl
    this.origin = origin
    this.headers = headers
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Any request, with cookies and Origin; cookies of the answer are kept. */
  async raw(method: string, path: string, init: RawInit = {}) {
    const response = await fetch(this.gatewayUrl + path, {
      method,
      ...init,
      headers: { cookie: this.cookieHeader, origin: this.origin, ...this.headers, ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  async csrfToken(init: Pick<RawInit, 'signal'> = {}): Promise<string> {
    if (this.keptToken) return this.keptToken
    if (this.#last?.cookies === this.#tokenCookies) return this.#last.token
    const response = await this.raw('GET', '/api/csrf-token', init)
    const { csrfToken: token } = (await response.json()) as { csrfToken: string }
    if (response.ok) this.#last = { token, cookies: this.#tokenCookies }
    return token
  }

  /** A token belongs to the session or, before sign-in, to the cookie in its place, and is sent with its other half. */
  get #tokenCookies(): string {
    const values = new Map([...this.cookies].map(([name, value]) => [name.replace('__Host-', ''), value]))
    return `${values.get('sid') ?? values.get('pre')} ${values.get('csrf')}`
  }

  /** Calls a route and returns its answer, including refusals. `headers` are added to the headers of every call. */
  async call<R extends RouteContract>(
    route: R,
    input: Sent<R> = {},
    init: CallInit = {},
  ): Promise<Answer<AnswerOf<R>>> {
    const { params, query, body } = input as {
      params?: Record<string, string>
      query?: Record<string, string | number | undefined>
      body?: unknown
    }
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) search.set(name, String(value))
    const headers: Record<string, string> = { ...init.headers }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (route.method !== 'GET') headers['x-csrf-token'] = await this.csrfToken(init)
    const target = search.size > 0 ? `${path}?${search.toString()}` : path
    const response = await this.raw(route.method, target, {
      ...init,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: (text === '' ? null : JSON.parse(text)) as AnswerOf<R>,
      headers: response.headers,
    }
  }

  /** A call that must succeed; throws RefusedError otherwise. */
  async ok<R extends RouteContract>(
    route: R,
    input: Sent<R> = {},
    init: CallInit = {},
  ): Promise<AnswerOf<R>> {
    const { status, body } = await this.call(route, input, init)
    if (status >= 300) throw new RefusedError(status, body)
    return body
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    const isDeleted = attributes.some((attribute) => attribute.trim().toLowerCase() === 'max-age=0')
    if (isDeleted) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
