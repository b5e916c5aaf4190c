/** The extra time that a busy machine may add to an answer. */
const slack = 3

/** The time limits that the product promises (docs/ARCHITECTURE.md), in milliseconds, as tests assert them. */
export const bounds = {
  /** A lock or a revocation is in force everywhere. */
  lockMs: 1000 * slack,
  /** A lock or a revocation is in force everywhere although Redis is away or hangs. */
  lockWithoutRedisMs: 5000 * slack,
  /** A change of premium is in force and shown to both sides. */
  premiumMs: 2000 * slack,
  /** A request has its answer, which may be a refusal because a part is down. */
  answerMs: 2000 * slack,
} as const
