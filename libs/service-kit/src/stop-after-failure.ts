/** Replicas often fail together; a random delay keeps them from stopping together. */
const maxDelayMs = 20_000
/** An orderly stop is shorter than this. After it the process ends, even if a part of the stop hangs. */
const stopTimeoutMs = 60_000

/** Stops this process as SIGTERM does, after a random time of at most `delayMs`, with exit code 1. */
export function stopAfterFailure(delayMs = maxDelayMs): void {
  process.exitCode = 1
  const inMs = Math.random() * delayMs
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), inMs)
  setTimeout(() => process.exit(1), inMs + stopTimeoutMs).unref()
}
