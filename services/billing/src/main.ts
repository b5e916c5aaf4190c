import { pingMongo } from '@sumlock/service-kit/mongo'
import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'

runMain(async () => {
  const config = readConfig()
  const ctx = await createContext(config)
  const health = { checks: { database: () => pingMongo(ctx.connection) }, draining: false }
  await serve({
    config,
    logger: ctx.logger,
    health,
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx, health),
    close: ctx.close,
  })
})
