import { asApiError } from '../../api/base-api.ts'
import type { Page } from '../../page.ts'
import { deleteEntries } from '../device/entry-database.ts'
import { forgetDevice } from '../device/remember-device.ts'

/**
 * Leaves the account; no other code does. Sends the call that ends the session, removes the account's traces from this
 * device, and opens the calculator. Rejects if the call fails. `onEnded` is called before the traces are removed.
 */
export async function leaveAccount(
  { client, lock }: Page,
  end: () => Promise<unknown>,
  onEnded?: () => void,
): Promise<void> {
  const resume = client.expectSignedOut()
  try {
    await end()
  } catch (error) {
    resume()
    if (asApiError(error)?.status === 401) client.reportSignedOut()
    throw error
  }
  onEnded?.()
  forgetDevice()
  // The page is replaced afterwards, so the deletion has to finish first.
  await deleteEntries()
  lock.dispatch('signed-out')
}
