export interface Percentiles {
  p50: number
  p95: number
  p99: number
  max: number
}

/** Nearest-rank percentiles; NaN for an empty list. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
  return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: rank(1) }
}
