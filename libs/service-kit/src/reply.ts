import type { InternalRouteContract, RouteAnswer, RouteContract } from '@sumlock/contracts/route'

/** An answer with its own status or headers. A handler that returns a plain body answers with the route's first status. */
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

/** JSON that is serialised already (a message is serialised once for answer, hint and event). */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The elements of a JSON array, sent one after the other as fast as the client reads. */
export class JsonStream<T> {
  readonly elements: AsyncIterator<T>
  constructor(elements: AsyncIterator<T>) {
    this.elements = elements
  }
}

type ElementOf<T> = T extends readonly (infer E)[] ? E : never

export type HandlerResult<R extends RouteContract | InternalRouteContract> =
  RouteAnswer<R> | Reply<RouteAnswer<R>> | JsonStream<ElementOf<RouteAnswer<R>>>
