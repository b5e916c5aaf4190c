/**
 * With these times, the list of session changes misses no change that commits late. A change has the database's time at the
 * start of its write, and every answer repeats the changes of the `lookBackMs` before the previous answer.
 */
export const changeTimes = {
  /** A change whose write took longer is stamped again before it is acknowledged. */
  storedWithinMs: 2000,
  /**
   * Exceeds the sum of `storedWithinMs`, the ten seconds for which an isolated primary still answers, the election of
   * another one, and the difference of their clocks.
   */
  lookBackMs: 30_000,
  /**
   * The second stamp of a change may be missing for this time. It is longer than any write, and than the time for which a
   * gateway remembers a session.
   */
  unsettledMs: 60_000,
  /** If there are more changes, an answer lists none of them, and all sessions count as changed. */
  listedAtMost: 20_000,
}
