import { asApiError } from '../../api/base-api.ts'
import type { Page } from '../../page.ts'
import { deleteEntries } from '../device/entry-database.ts'
import { forgetDevice } from '../device/remember-device.ts'

/**
 * The one way out of an account: runs the call that ends the session, and leaves to the calculator of a stranger. Rejects
 * when the call failed. `onEnded` runs before the device is forgotten.
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
  // Waits for the deletion that has begun: the page is replaced next.
  await deleteEntries()
  lock.dispatch('signed-out')
}
