import type { Readable } from 'node:stream'
import type { InternalRouteContract, RouteAnswer, RouteContract } from '@sumlock/contracts/route'

/**
 * A handler returns a Reply to set a status or headers. A plain body is sent with the first status of the route's
 * contract.
 */
export class Reply<T> {
  readonly status: number
  readonly body: T
  readonly headers: Readonly<Record<string, string | string[]>>

  constructor(status: number, body: T, headers: Record<string, string | string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A handler returns this to send the elements of a JSON array one by one, as fast as the client reads. */
export class JsonStream<T> {
  readonly elements: AsyncIterator<T>
  constructor(elements: AsyncIterator<T>) {
    this.elements = elements
  }
}

/** A handler returns this to send bytes as fast as the client reads. An error of the stream closes the connection. */
export class ByteStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Readable
  constructor(status: number, headers: Readonly<Record<string, string>>, bytes: Readable) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }
}

type ElementOf<T> = T extends readonly (infer E)[] ? E : never

export type HandlerResult<R extends RouteContract | InternalRouteContract> =
  RouteAnswer<R> | Reply<RouteAnswer<R>> | ByteStream | JsonStream<ElementOf<RouteAnswer<R>>>
