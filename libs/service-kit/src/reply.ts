import type { Readable } from 'node:stream'
import type { InternalRouteContract, RouteAnswer, RouteContract } from '@sumlock/contracts/route'

/** An answer with its own status or headers. A handler that returns a plain body answers with the route's first status. */
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

/** The elements of a JSON array, sent one after the other as fast as the client reads. */
export class JsonStream<T> {
  readonly elements: AsyncIterator<T>
  constructor(elements: AsyncIterator<T>) {
    this.elements = elements
  }
}

/** Bytes that are sent as fast as the client reads. An error of the stream closes the connection. */
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
