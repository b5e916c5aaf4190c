import type { Context } from '../context.ts'
import type { SocketServer } from '../socket-server.ts'
import { onConversationDeleted } from './conversation-deleted.ts'
import { onConversationStarted } from './conversation-started.ts'
import { onConversationStateChanged } from './conversation-state-changed.ts'
import { onLimitsChanged } from './limits-changed.ts'
import { onMessageChanged } from './message-changed.ts'
import { onMessageSent } from './message-sent.ts'

/** Returns the handlers of all Kafka events that realtime consumes. */
export const eventHandlers = (
  ctx: Pick<Context, 'metrics' | 'clock'>,
  sockets: Pick<SocketServer, 'emit'>,
) => [
  onMessageSent(ctx, sockets),
  onMessageChanged(sockets),
  onConversationStarted(sockets),
  onConversationDeleted(sockets),
  onConversationStateChanged(sockets),
  onLimitsChanged(sockets),
]
