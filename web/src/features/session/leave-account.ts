import { asApiError } from '../../api/base-api.ts'
import { expectSignedOut, reportSignedOut } from '../../api/request.ts'
import { deleteEntries } from '../device/entry-database.ts'
import { lock } from '../lock/lock-effects.ts'
import { forgetDevice } from '../device/known-device.ts'

/**
 * The one way out of an account: runs the call that ends the session, and leaves to the calculator of a stranger. Rejects
 * when the call failed. `onEnded` runs before the device is forgotten.
 */
export async function leaveAccount(end: () => Promise<unknown>, onEnded?: () => void): Promise<void> {
  const resume = expectSignedOut()
  try {
    await end()
  } catch (error) {
    resume()
    if (asApiError(error)?.status === 401) reportSignedOut()
    throw error
  }
  onEnded?.()
  forgetDevice()
  // Waits for the deletion that has begun: the page is replaced next.
  await deleteEntries()
  lock.dispatch('signed-out')
}
