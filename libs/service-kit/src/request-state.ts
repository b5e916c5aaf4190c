import type { ServerResponse } from 'node:http'
import type { ServiceName } from '@sumlock/contracts/route'

/** The data that `createHttpApp` reads from every request. */
export interface RequestState {
  readonly requestId: string
  readonly cookies: Record<string, string>
  /** The path of the matched route, for metrics and traces: set by the handler that matched it. */
  route?: string
  /** The calling service of an internal route, once it is verified. */
  callingService?: ServiceName
}

const states = new WeakMap<ServerResponse, RequestState>()

export function startRequestState(response: ServerResponse, state: RequestState): RequestState {
  states.set(response, state)
  return state
}

/** The state of the request that `response` answers. Throws when its app was not made by `createHttpApp`. */
export function requestStateOf(response: ServerResponse): RequestState {
  const state = states.get(response)
  if (!state) throw new Error('the response has no request state: create the app with createHttpApp')
  return state
}
