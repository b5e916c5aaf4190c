/**
 * How session changes are listed without missing one that commits late. A change has the database's time at the start of
 * its write, and every answer repeats the changes of the `lookBackMs` before the previous answer.
 */
export const changeTimes = {
  /** A write that took longer is stamped again before it is acknowledged. */
  storedWithinMs: 2000,
  /** `storedWithinMs`, a second by which the clocks of the database's members differ, and as much again. */
  lookBackMs: 5000,
  /** How long a change may still lack that second stamp: longer than any write waits. */
  unsettledMs: 30_000,
  /** More are not listed but answered with `reset`. */
  rowsAtMost: 10_000,
}
