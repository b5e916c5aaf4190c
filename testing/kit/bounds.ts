/** The limits are multiplied by this, because a busy test machine answers more slowly. */
const slack = 3

/**
 * The product promises these time limits in docs/ARCHITECTURE.md. Tests allow `slack` times as long. All are in
 * milliseconds.
 */
export const bounds = {
  /** A lock or a revocation is in force in all processes. */
  lockMs: 1000 * slack,
  /** A lock or a revocation is in force everywhere even if Redis is down or hangs. */
  lockWithoutRedisMs: 5000 * slack,
  /** A change of premium is in force and shown to both sides. */
  premiumMs: 2000 * slack,
  /** A request has its answer, which may be a refusal because a part is down. */
  answerMs: 2000 * slack,
} as const
