/** Decides which screens a page may show, and whether the server still has to confirm a lock. */
export type LockState =
  /** The server has not yet answered whether the session is open. */
  | 'unknown'
  /** Nothing behind the calculator is open, and no lock is owed. */
  | 'calculator'
  /** A number is being checked. */
  | 'trying'
  | 'open'
  /** A recorded lock is being sent. */
  | 'locking'
  /** A recorded lock waits for its next attempt. */
  | 'owed'
  /** Nobody is signed in. */
  | 'ended'

export type LockEvent =
  /** The calculator is shown. */
  | 'arrived'
  /** The person fled, or left the page alone for too long. */
  | 'left'
  /** The server did not answer in time whether the session is open. */
  | 'unproven'
  | 'said-open'
  | 'said-locked'
  | 'said-signed-out'
  /** A call of an inner screen was refused because the session has ended. */
  | 'session-lost'
  /** The person ended the session: by Logout, or by deleting the account. */
  | 'signed-out'
  | 'tried'
  | 'right'
  | 'wrong'
  /** The answer to a number was lost, so the session may be open. */
  | 'lost'
  | 'locked-elsewhere'
  /** The server confirmed the lock, or that there is no session. */
  | 'confirmed'
  | 'failed'
  | 'retried'

export type LockEffect =
  /** Stores for every later page that a lock is owed. */
  | 'record'
  | 'forget'
  /** Removes the sealed copies of the keys from this device. */
  | 'remove-copies'
  | 'send'
  | 'retry-later'
  /** Sends unsent text and the lock, notifies the other tabs, and replaces a page that holds secrets. */
  | 'close'
  /** Does the same behind the cover, and replaces every page. */
  | 'flee'
  /** Replaces the page with the calculator. */
  | 'replace'
  /** Replaces a page that holds secrets. */
  | 'discard'
  /** Replaces the page with the sign-in. */
  | 'sign-in'

export type Step = readonly [next: LockState, ...effects: LockEffect[]]

const flee: Step = ['locking', 'record', 'flee']
const owe: Step = ['locking', 'record', 'send']
const end: Step = ['ended', 'forget']
const loseSession: Step = ['ended', 'sign-in']
const signOut: Step = ['ended', 'replace']

/** An event that is not listed for a state changes nothing. */
const steps: Record<LockState, Partial<Record<LockEvent, Step>>> = {
  unknown: {
    arrived: ['unknown', 'record'],
    left: flee,
    unproven: owe,
    'said-open': ['open'],
    'said-locked': ['calculator', 'forget', 'discard'],
    'said-signed-out': end,
    'session-lost': loseSession,
    'signed-out': signOut,
    tried: ['trying'],
    right: owe,
    lost: owe,
    'locked-elsewhere': owe,
  },
  calculator: {
    // The server's last answer may be out of date, because another tab may have opened the session.
    arrived: ['unknown', 'record'],
    left: flee,
    unproven: owe,
    'said-open': ['open'],
    'said-locked': ['calculator', 'forget'],
    'said-signed-out': end,
    'session-lost': loseSession,
    'signed-out': signOut,
    tried: ['trying'],
    right: owe,
    lost: owe,
  },
  trying: {
    left: flee,
    'said-signed-out': end,
    'session-lost': loseSession,
    'signed-out': signOut,
    right: ['open', 'forget'],
    wrong: ['calculator'],
    lost: owe,
  },
  open: {
    arrived: ['locking', 'record', 'close'],
    left: flee,
    'said-locked': ['calculator', 'replace'],
    'said-signed-out': loseSession,
    'session-lost': loseSession,
    'signed-out': signOut,
    lost: owe,
    // The other tab has recorded the lock and sends it.
    'locked-elsewhere': ['owed', 'replace'],
  },
  locking: {
    left: flee,
    // The session may have opened after the lock was sent.
    right: owe,
    lost: owe,
    confirmed: ['calculator', 'forget', 'remove-copies', 'discard'],
    failed: ['owed', 'retry-later'],
  },
  owed: {
    left: flee,
    right: owe,
    lost: owe,
    retried: ['locking', 'send'],
  },
  ended: {
    left: signOut,
    'said-open': ['open'],
    'said-locked': ['calculator'],
    'signed-out': signOut,
    right: owe,
    lost: owe,
  },
}

export const lockStates = Object.keys(steps) as LockState[]

export const transition = (state: LockState, event: LockEvent): Step => steps[state][event] ?? [state]
