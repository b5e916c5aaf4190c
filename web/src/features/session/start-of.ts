import type { User } from '@sumlock/contracts/user'

/** Where a person who signed in goes: to the calculator, or to what has to be decided or set up first. */
export const startOf = ({ deletionScheduledFor, isSetupComplete }: User): string =>
  deletionScheduledFor || !isSetupComplete ? '/settings' : '/'
