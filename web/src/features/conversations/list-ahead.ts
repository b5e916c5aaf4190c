import { request } from '../../api/request.ts'
import type { ApiAnswer } from '../../api/request.ts'

export const listUrl = '/api/conversations'
let ahead: Promise<ApiAnswer> | undefined

/** Fetches the list during the pauses of an unlock. The page must hold its key by then, so that a lock replaces it. */
export const fetchListAhead = (): void => void (ahead = request({ url: listUrl }))

/** The answer of that fetch, once. */
export function takeListAhead(): Promise<ApiAnswer> | undefined {
  const taken = ahead
  ahead = undefined
  return taken
}
