import { asApiError } from '../../api/base-api.ts'
import type { Page } from '../../page.ts'
import { deleteEntries } from '../device/entry-database.ts'
import { forgetDevice } from '../device/remember-device.ts'

/**
 * The only way out of an account: sends the call that ends the session and leaves to a stranger's calculator. Rejects
 * if the call fails. `onEnded` runs before the traces on this device are removed.
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
  // The page is replaced next, so the deletion has to finish first.
  await deleteEntries()
  lock.dispatch('signed-out')
}
