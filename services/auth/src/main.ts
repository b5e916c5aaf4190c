import { pingMongo } from '@sumlock/service-kit/mongo'
import { runPeriodically } from '@sumlock/service-kit/run-periodically'
import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { pruneDue } from './use-cases/prune-due.ts'

const pruneEveryMs = 600_000

runMain(async () => {
  const config = readConfig()
  const ctx = await createContext(config)
  const pruning = runPeriodically({
    name: 'pruning',
    everyMs: pruneEveryMs,
    logger: ctx.logger,
    run: () => pruneDue(ctx, ctx.clock.now()),
  })
  const health = { checks: { database: () => pingMongo(ctx.connection) }, draining: false }
  await serve({
    config,
    logger: ctx.logger,
    health,
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx, health),
    close: async () => {
      await pruning.stop()
      await ctx.close()
    },
  })
})
