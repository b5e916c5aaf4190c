import { memberChannel } from '@sumlock/contracts/redis-channels'
import type { Redis } from 'ioredis'

/** Member channels need only these methods of a Redis connection. */
export type Subscriber = Pick<Redis, 'subscribe' | 'unsubscribe' | 'on'>

export interface MemberChannels {
  /**
   * Subscribes to the hints of a person. Resolves with true once Redis has answered, or with false after `timeoutMs`; in
   * that case `onLate` is called when the answer comes.
   */
  hold(userId: string, onLate: () => void): Promise<boolean>
  /** Undoes one `hold`. Nothing is received for a person without any. */
  release(userId: string): void
  /** False from the loss of the Redis connection until all channels are subscribed to again. */
  readonly isComplete: boolean
  onChange(listener: () => void): void
}

export interface MemberChannelsOptions {
  namespace: string
  /** These channels are subscribed to from the start. */
  always: readonly string[]
  timeoutMs?: number
}

/** Subscribes to the hints of people who have sockets on this instance. */
export function createMemberChannels(
  redis: Subscriber,
  { namespace, always, timeoutMs = 1000 }: MemberChannelsOptions,
): MemberChannels {
  const held = new Map<string, { count: number; subscribed: Promise<unknown> }>()
  const listeners: (() => void)[] = []
  let isComplete = false
  /** Each connection gets its own number, so that the late answer of an earlier one is ignored. */
  let connection = 0

  const setComplete = (next: boolean) => {
    if (isComplete === next) return
    isComplete = next
    for (const listener of listeners) listener()
  }
  const subscribeAll = async () => {
    const own = (connection += 1)
    await redis.subscribe(...always, ...[...held.keys()].map((userId) => memberChannel(namespace, userId)))
    if (own === connection) setComplete(true)
  }
  redis.on('ready', () => void subscribeAll().catch(() => undefined))
  redis.on('close', () => {
    connection += 1
    setComplete(false)
  })

  return {
    async hold(userId, onLate) {
      const entry = held.get(userId) ?? {
        count: 0,
        subscribed: redis.subscribe(memberChannel(namespace, userId)).catch(() => undefined),
      }
      entry.count += 1
      held.set(userId, entry)
      const timedOut = Promise.withResolvers<false>()
      const timer = setTimeout(timedOut.resolve, timeoutMs, false)
      const isInTime = await Promise.race([entry.subscribed.then(() => true), timedOut.promise])
      clearTimeout(timer)
      if (!isInTime) void entry.subscribed.then(onLate)
      return isInTime
    },
    release(userId) {
      const entry = held.get(userId)
      if (!entry) return
      entry.count -= 1
      if (entry.count > 0) return
      held.delete(userId)
      redis.unsubscribe(memberChannel(namespace, userId)).catch(() => undefined)
    },
    get isComplete() {
      return isComplete
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
