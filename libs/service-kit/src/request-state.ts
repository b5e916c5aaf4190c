import type { ServerResponse } from 'node:http'
import type { ServiceName } from '@sumlock/contracts/route'

/** `createHttpApp` reads these data from every request. */
export interface RequestState {
  readonly requestId: string
  readonly cookies: Record<string, string>
  /** The handler that matched the route sets its path, which metrics and traces use. */
  route?: string
  /** Set once the calling service of an internal route is verified. */
  callingService?: ServiceName
}

const states = new WeakMap<ServerResponse, RequestState>()

export function startRequestState(response: ServerResponse, state: RequestState): RequestState {
  states.set(response, state)
  return state
}

/** Returns the state of the request that `response` answers. Throws when its app was not made by `createHttpApp`. */
export function requestStateOf(response: ServerResponse): RequestState {
  const state = states.get(response)
  if (!state) throw new Error('the response has no request state: create the app with createHttpApp')
  return state
}
