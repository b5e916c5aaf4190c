import { messageHint, redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { MessageHint, SessionInvalidated } from '@sumlock/contracts/redis-channels'
import { runFor } from '@sumlock/service-kit/request-context'
import type { Context } from '../context.ts'
import type { MessageDelivery } from '../deliver-message.ts'
import type { SocketServer } from '../socket-server.ts'

/** What Redis whispers: messages a moment before Kafka has them, and sessions that ended. */
export function listenToHints(ctx: Context, sockets: SocketServer, deliver: MessageDelivery): void {
  const channels = {
    message: redisChannel(ctx.config.SUMLOCK_NAMESPACE, messageHint.channel),
    session: redisChannel(ctx.config.SUMLOCK_NAMESPACE, sessionInvalidated.channel),
  }
  ctx.hints.subscribe(channels.message, channels.session).catch(() => undefined)
  ctx.hints.on('message', (channel: string, text: string) => {
    // Only our own services can publish here, and this is the hottest path: the shape is not checked again.
    if (channel === channels.message) {
      const { request, ...data } = JSON.parse(text) as MessageHint
      runFor(request, () => deliver('hint', data))
      return
    }
    const { sid, reason } = JSON.parse(text) as SessionInvalidated
    // guard: close-sockets
    if (reason !== 'unlocked') sockets.closeSession(sid)
  })
}
