import { subscribe } from '@sumlock/bus/subscribe'
import { bindHealth } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { pingMongo } from '@sumlock/service-kit/mongo'
import { runPeriodically } from '@sumlock/service-kit/run-periodically'
import { endWithConsumer, runMain, serve } from '@sumlock/service-kit/serve'
import { readConfig } from './config.ts'
import { noticeHandlers } from './consumers/notices.ts'
import { createContext } from './context.ts'
import { startDeliveryLoop } from './delivery-loop.ts'
import { pruneDeliveries } from './use-cases/prune-deliveries.ts'

const pruneEveryMs = 3600_000

runMain(async () => {
  const config = readConfig()
  const ctx = await createContext(config)
  const loop = startDeliveryLoop(ctx)
  const pruning = runPeriodically({
    name: 'pruning deliveries',
    everyMs: pruneEveryMs,
    logger: ctx.logger,
    run: () => pruneDeliveries(ctx),
  })
  const subscription = subscribe(ctx.bus, {
    group: 'notify',
    handlers: noticeHandlers(ctx, loop.kick),
    onFatal: endWithConsumer(ctx.logger),
    metrics: ctx.metrics.registry,
    tracing: ctx.tracing,
  })
  const health = { checks: { database: () => pingMongo(ctx.connection) }, draining: false }
  const internalApp = createHttpApp(ctx)
  bindHealth(internalApp, health, ctx.metrics)
  await serve({
    config,
    logger: ctx.logger,
    health,
    publicApp: finishApp(createHttpApp(ctx), ctx),
    internalApp: finishApp(internalApp, ctx),
    close: async () => {
      await subscription.stop()
      await loop.stop()
      await pruning.stop()
      await ctx.close()
    },
  })
})
