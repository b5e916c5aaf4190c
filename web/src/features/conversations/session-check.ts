import type { AppDispatch } from '../../api/store.ts'
import { sessionApi } from '../session/session-api.ts'

const checkEveryMs = 30_000

/**
 * Fetches the user after a failed connection, at most every 30 seconds: a browser cannot read why a socket was refused
 * before the upgrade. If the session is not unlocked, the fetch is refused, and the refusal closes the page.
 */
export function createSessionCheck(dispatch: AppDispatch): () => Promise<void> {
  let checkedAt = -Infinity
  return async () => {
    if (Math.abs(Date.now() - checkedAt) < checkEveryMs) return
    checkedAt = Date.now()
    const options = { forceRefetch: true, subscribe: false }
    await dispatch(sessionApi.endpoints.getUser.initiate(undefined, options))
  }
}
