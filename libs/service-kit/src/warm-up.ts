import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceBase } from './service-base.ts'

/** A service waits at most this long for its connections, ms. After that it becomes ready without the missing ones. */
const warmUpMs = 5000
const retryMs = 250

/** Opens a connection for which the first request would have to wait. Rejects while that is not possible. */
export type Opener = () => Promise<unknown>

/** Keeps a service unready until all functions of `onWarmUp` have succeeded, or until `timeoutMs` has passed. */
export async function warmUp(
  { openers, health }: Pick<ServiceBase, 'openers' | 'health'>,
  timeoutMs = warmUpMs,
): Promise<void> {
  let isWarm = false
  health.checks['warm-up'] = () => {
    if (!isWarm) throw new Error('connections are being opened')
  }
  const isOver = AbortSignal.timeout(timeoutMs)
  const open = async (opener: Opener) => {
    while (!isOver.aborted) {
      try {
        return await opener()
      } catch {
        await wait(retryMs)
      }
    }
  }
  const timedOut = new Promise((resolve) => isOver.addEventListener('abort', resolve))
  await Promise.race([Promise.all(openers.map(open)), timedOut])
  isWarm = true
}
