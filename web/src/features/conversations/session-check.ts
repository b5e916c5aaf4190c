import type { AppDispatch } from '../../api/store.ts'
import { sessionApi } from '../session/session-api.ts'

const checkEveryMs = 30_000

/**
 * A browser cannot read why a socket was refused before the upgrade. The fetched user shows whether the session is
 * unlocked; if it is not, the answer itself closes the page.
 */
export function createSessionCheck(dispatch: AppDispatch): () => Promise<void> {
  let checkedAt = -Infinity
  return async () => {
    if (Date.now() - checkedAt < checkEveryMs) return
    checkedAt = Date.now()
    const options = { forceRefetch: true, subscribe: false }
    await dispatch(sessionApi.endpoints.getUser.initiate(undefined, options))
  }
}
