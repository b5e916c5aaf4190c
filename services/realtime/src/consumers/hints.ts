import { messageHint, redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { MessageHint, SessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { Context } from '../context.ts'
import type { Seen } from '../domain/seen.ts'
import type { SocketServer } from '../socket-server.ts'

/** What Redis whispers: messages a moment before Kafka has them, and sessions that ended. */
export function listenToHints(ctx: Context, sockets: SocketServer, seen: Seen): void {
  const channels = {
    message: redisChannel(ctx.config.SUMLOCK_NAMESPACE, messageHint.channel),
    session: redisChannel(ctx.config.SUMLOCK_NAMESPACE, sessionInvalidated.channel),
  }
  ctx.hints.subscribe(channels.message, channels.session).catch(() => undefined)
  ctx.hints.on('message', (channel: string, text: string) => {
    // Only our own services can publish here, and this is the hottest path: the shape is not checked again.
    if (channel === channels.message) {
      const { message, memberIds } = JSON.parse(text) as MessageHint
      if (seen.isNew(message.id)) sockets.tell(memberIds, { type: 'new_message', data: message })
      return
    }
    const { sid, reason } = JSON.parse(text) as SessionInvalidated
    // guard: close-sockets
    if (reason !== 'unlocked') sockets.closeSession(sid)
  })
}
