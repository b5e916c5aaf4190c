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

/** `ok` throws this for every status of 300 and above. */
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
  /** Sent as Origin, as a browser sends it; the gateway's own address when absent. */
  origin?: string
  /** These headers are sent with every request, such as those that a proxy adds. */
  headers?: Record<string, string>
}

/** Calls the gateway as a browser does: it keeps cookies, and sends a CSRF token with every change. */
export class Client {
  readonly gatewayUrl: string
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly cookies = new Map<string, string>()
  /**
   * When set, all changes send this token. If each of several concurrent changes fetched its own, each would replace
   * the cookie that the others need.
   */
  keptToken: string | undefined
  /** The last token is sent again as long as the cookies that it belongs to stay the same. */
  #last: { token: string; cookies: string } | undefined

  constructor({ gatewayUrl, origin = gatewayUrl, headers = {} }: ClientOptions) {
    this.gatewayUrl = gatewayUrl
    this.origin = origin
    this.headers = headers
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Sends any request with cookies and Origin, and keeps the cookies of the answer. */
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

  /**
   * A token belongs to the session's cookie or, before sign-in, to the cookie `pre`, and also to its own cookie
   * `csrf`.
   */
  get #tokenCookies(): string {
    const values = new Map([...this.cookies].map(([name, value]) => [name.replace('__Host-', ''), value]))
    return `${values.get('sid') ?? values.get('pre')} ${values.get('csrf')}`
  }

  /** Calls a route and returns its answer, including refusals. `init.headers` are added to those of every call. */
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
    // What stands in front of the gateway answers with a page when it has no gateway to ask.
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      body: (isJson ? await response.json() : null) as AnswerOf<R>,
      headers: response.headers,
    }
  }

  /** Calls a route and returns the body of its answer. Throws RefusedError unless it succeeded. */
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
