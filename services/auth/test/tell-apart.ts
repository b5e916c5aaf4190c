/** A measured time, and whether the address was taken. */
export interface Sample {
  isTaken: boolean
  ms: number
}

const bins = 20

/**
 * The share of the second half of the samples that a classifier tuned on the first half gets right. It votes by the majority
 * in each of twenty ranges of time with equally many samples.
 */
export function toldApart(samples: readonly Sample[]): number {
  const half = Math.floor(samples.length / 2)
  const [known, asked] = [samples.slice(0, half), samples.slice(half)]
  const sorted = known.map(({ ms }) => ms).sort((a, b) => a - b)
  const edges = Array.from(
    { length: bins - 1 },
    (_, index) => sorted[Math.floor(((index + 1) * half) / bins)],
  )
  const binOf = (ms: number) => edges.filter((edge) => edge !== undefined && ms > edge).length
  const votes = Array<number>(bins).fill(0)
  for (const { isTaken, ms } of known) votes[binOf(ms)] = (votes[binOf(ms)] ?? 0) + (isTaken ? 1 : -1)
  const right = asked.filter(({ isTaken, ms }) => (votes[binOf(ms)] ?? 0) > 0 === isTaken)
  return right.length / asked.length
}
