import { openSubscription } from '@sumlock/bus/service-bus'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { followSessionChanges } from '@sumlock/service-kit/session-changes'
import { runMain, serve } from '@sumlock/service-kit/serve'
import { readConfig } from './config.ts'
import { onConversationDeleted } from './consumers/conversation-deleted.ts'
import { onConversationStateChanged } from './consumers/conversation-state-changed.ts'
import { onConversationStarted } from './consumers/conversation-started.ts'
import { listenToHints } from './consumers/hints.ts'
import { onLimitsChanged } from './consumers/limits-changed.ts'
import { onMessageRead } from './consumers/message-read.ts'
import { createMessageDelivery, onMessageSent } from './consumers/message-sent.ts'
import { createContext } from './context.ts'
import { createSocketServer } from './socket-server.ts'
import type { SocketServer } from './socket-server.ts'

/** Session changes are polled every two seconds; one answer may fail. */
const uninformedAfterMs = 5000

runMain(async () => {
  const ctx = await createContext(readConfig())
  let sockets: SocketServer | undefined
  ctx.metrics.measureSockets(() => sockets?.count ?? 0)
  const relay: Pick<SocketServer, 'emit'> = { emit: (userIds, event) => sockets?.emit(userIds, event) }
  const deliver = createMessageDelivery(ctx, relay)
  const subscription = openSubscription(ctx, {
    bus: ctx.bus,
    group: 'private',
    handlers: [
      onMessageSent(deliver),
      onMessageRead(relay),
      onConversationStarted(relay),
      onConversationDeleted(relay),
      onConversationStateChanged(relay),
      onLimitsChanged(relay),
    ],
  })
  ctx.health.checks['events'] = () => subscription.ready
  const isRedisAway = () => ctx.hints.status !== 'ready'
  const isDegraded = () => isRedisAway() || !subscription.healthy()
  const broadcastStatus = () => sockets?.broadcast({ type: 'status', data: { degraded: isDegraded() } })
  subscription.onHealth(broadcastStatus)
  for (const change of ['ready', 'close'] as const) ctx.hints.on(change, broadcastStatus)

  // A changed session may have been unlocked again: ask auth before closing a socket.
  const follower = followSessionChanges({
    ask: ctx.sessionChanges,
    onChanged(sids) {
      for (const sid of sids) ctx.invalidations.add(sid)
      // guard: recheck-changed
      sockets?.recheck(sids)
    },
    onReset() {
      ctx.invalidations.addAll()
      sockets?.recheck('all')
    },
    clock: ctx.clock,
    logger: ctx.logger,
  })
  ctx.onClose(follower.stop)
  await serve(ctx, {
    publicApp: finishApp(createHttpApp(ctx), ctx),
    internalApp: finishApp(createInternalHttpApp(ctx), ctx),
    onServer: (server) => {
      sockets = createSocketServer(server, ctx, {
        isDegraded,
        isDraining: () => ctx.health.draining,
        isUninformed: () => isRedisAway() && follower.lastGoodAnswerAgeMs() > uninformedAfterMs,
      })
      listenToHints(ctx, sockets, deliver)
    },
    drain: async () => sockets?.drain(),
  })
})
