import { subscribe } from '@sumlock/bus/subscribe'
import { pingMongo } from '@sumlock/service-kit/mongo'
import { endWithConsumer, runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { peopleHandlers } from './consumers/people.ts'
import { subscriptionHandlers } from './consumers/subscriptions.ts'
import { createContext } from './context.ts'
import { startExpiryLoop } from './expiry-loop.ts'

runMain(async () => {
  const config = readConfig()
  const ctx = await createContext(config)
  const handlers = [...peopleHandlers(ctx), ...subscriptionHandlers(ctx)]
  const subscription = subscribe(ctx.bus, {
    ...{ group: 'messaging', handlers, onFatal: endWithConsumer(ctx.logger) },
    ...{ metrics: ctx.metrics.registry, tracing: ctx.tracing },
  })
  const stopExpiryLoop = startExpiryLoop(ctx)
  const health = { checks: { database: () => pingMongo(ctx.connection) }, draining: false }
  await serve({
    config,
    logger: ctx.logger,
    health,
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx, health),
    close: async () => {
      await stopExpiryLoop()
      await subscription.stop()
      await ctx.close()
    },
  })
})
