import type { AppDispatch } from '../../api/store.ts'
import { sessionApi } from '../session/session-api.ts'

const checkEveryMs = 30_000

/**
 * A browser cannot read why a socket was refused before the upgrade, so the user is fetched to learn whether the
 * session is unlocked: the answer itself closes the page if it is not.
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
