import { maxKeepDays } from '@sumlock/backup/config'
import { limits } from '@sumlock/contracts/limits'

/** A purge may be delayed this long by a dead service before the promise is broken. */
const reserveDays = 14

it('LEGAL-05: the longest life of a backup and the time until an account is purged are at most 90 days', () => {
  expect(maxKeepDays + limits.deletionDelayDays + reserveDays).toBeLessThanOrEqual(90)
})
