import { percentiles } from './percentiles.ts'
import type { Percentiles } from './percentiles.ts'

export interface ClosedRun {
  requests: number
  seconds: number
  /** Milliseconds from the moment a request was written until its answer was read. */
  latency: Percentiles
}

export interface ClosedModel {
  /** Requests under way at any time: who has an answer asks again. */
  concurrency: number
  /** Ends after so many seconds or so many requests, whichever comes first. */
  seconds?: number
  requests?: number
}

/** Repeats `ask`, which resolves with its milliseconds. */
export async function closedModel(
  { concurrency, seconds = Infinity, requests = Infinity }: ClosedModel,
  ask: (turn: number) => Promise<number>,
): Promise<ClosedRun> {
  const startedAt = performance.now()
  const latencies: number[] = []
  let begun = 0
  const worker = async () => {
    while (begun < requests && performance.now() - startedAt < seconds * 1000)
      latencies.push(await ask(begun++))
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return {
    requests: latencies.length,
    seconds: (performance.now() - startedAt) / 1000,
    latency: percentiles(latencies),
  }
}
