/** A machine that is busy with other things makes an answer late, and no more than this. */
const slack = 3

/** The time limits that the product promises (docs/ARCHITECTURE.md), in milliseconds, as tests assert them. */
export const bounds = {
  /** A lock or a revocation is in force everywhere. */
  lockMs: 1000 * slack,
  /** The same while Redis is away or hangs. */
  lockWithoutRedisMs: 5000 * slack,
  /** A change of premium is in force, and both sides are told. */
  premiumMs: 2000 * slack,
  /** A request has its answer, also a refusal because a part is down. */
  answerMs: 2000 * slack,
} as const
