import type { InternalRouteContract, RouteAnswer, RouteContract } from '@sumlock/contracts/route'

/** An answer with a status or headers of its own. A handler that returns a plain body answers with the route's first status. */
export class Reply<T> {
  readonly status: number
  readonly body: T | RawJson
  readonly headers: Readonly<Record<string, string | string[]>>

  constructor(status: number, body: T | RawJson, headers: Record<string, string | string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** JSON that was serialised already (the message path serialises once for answer, hint and event). */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HandlerResult<R extends RouteContract | InternalRouteContract> =
  RouteAnswer<R> | Reply<RouteAnswer<R>>
