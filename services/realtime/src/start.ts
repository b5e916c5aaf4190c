import { openSubscription } from '@sumlock/bus/service-bus'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { followSessionChanges } from '@sumlock/service-kit/session-changes'
import { serve } from '@sumlock/service-kit/serve'
import { readConfig } from './config.ts'
import { eventHandlers } from './consumers/handlers.ts'
import { listenToHints } from './consumers/hints.ts'
import { createContext } from './context.ts'
import { createLockSources } from './infrastructure/lock-sources.ts'
import { createSocketServer } from './socket-server.ts'
import type { SocketServer } from './socket-server.ts'

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = createContext(readConfig(env))
  let sockets: SocketServer | undefined
  ctx.metrics.measureSockets(() => sockets?.count ?? 0)
  const relay: Pick<SocketServer, 'emit'> = { emit: (userIds, event) => sockets?.emit(userIds, event) }
  const subscription = openSubscription(ctx, {
    bus: ctx.bus,
    group: 'realtime',
    skipsHinted: true,
    // Clients have fetched older events by themselves by now.
    skipsOlderThanMs: 60_000,
    handlers: eventHandlers(ctx, relay),
  })
  ctx.health.checks['events'] = () => subscription.ready
  const isDegraded = () => !ctx.members.isComplete || !subscription.healthy()
  const broadcastStatus = () => sockets?.broadcast({ type: 'status', data: { degraded: isDegraded() } })
  subscription.onHealth(broadcastStatus)
  // After a gap in Redis, clients receive two changes of the status and fetch once.
  ctx.members.onChange(broadcastStatus)

  // A changed session may have been unlocked again, so auth is called before a socket is closed.
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
  return serve(ctx, {
    publicApp: finishApp(createHttpApp(ctx), ctx),
    internalApp: finishApp(createInternalHttpApp(ctx), ctx),
    onServer: (server) => {
      sockets = createSocketServer(server, ctx, {
        isDegraded,
        isDraining: () => ctx.health.draining,
        lockSources: createLockSources({ ...ctx, listAgeMs: follower.lastGoodAnswerAgeMs }),
      })
      listenToHints(ctx, sockets)
    },
    drain: async () => sockets?.drain(),
  })
}
