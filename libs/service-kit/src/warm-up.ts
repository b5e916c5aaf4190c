import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceBase } from './service-base.ts'

/** The most time that a service waits for its connections before it is ready, ms. It answers without some of them, too. */
const warmUpMs = 5000
const retryMs = 250

/** Opens a connection that the first request would have to wait for; rejects while that is not possible. */
export type Opener = () => Promise<unknown>

/** Keeps a service unready until it has opened what was registered with `onWarmUp`, or for `timeoutMs`. */
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
