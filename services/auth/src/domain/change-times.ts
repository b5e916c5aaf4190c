/**
 * How session changes are listed without missing one that commits late. A change has the database's time at the start of
 * its write, and every answer repeats the changes of the `lookBackMs` before the previous answer.
 */
export const changeTimes = {
  /** A write that took longer is stamped again before it is acknowledged. */
  storedWithinMs: 2000,
  /** `storedWithinMs`, a second for differences between the clocks of the database's members, and a reserve. */
  lookBackMs: 5000,
  /** How long a change may lack its second stamp: longer than any write takes, and than a gateway remembers a session. */
  unsettledMs: 60_000,
  /** With more changes than this, the answer is `reset` instead of a list. */
  rowsAtMost: 10_000,
}
