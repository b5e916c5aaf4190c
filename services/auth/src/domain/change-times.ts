/**
 * How changes of sessions are told without missing one that is stored late. A change carries the database's time from
 * when its write began; whoever asks for changes is told those of `lookBackMs` before the last answer again.
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
