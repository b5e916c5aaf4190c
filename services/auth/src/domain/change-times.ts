/**
 * Times with which session changes are listed without missing one that commits late. A change has the database's time at the start of
 * its write, and every answer repeats the changes of the `lookBackMs` before the previous answer.
 */
export const changeTimes = {
  /** A write that took longer is stamped again before it is acknowledged. */
  storedWithinMs: 2000,
  /**
   * Exceeds the sum of `storedWithinMs`, the ten seconds for which an isolated primary still answers, the election of
   * another one, and the difference of their clocks.
   */
  lookBackMs: 30_000,
  /**
   * A change may lack its second stamp for this time, which is longer than any write and than the time for which a
   * gateway remembers a session.
   */
  unsettledMs: 60_000,
  /** With more changes, an answer lists none: all sessions count as changed. */
  listedAtMost: 20_000,
}
