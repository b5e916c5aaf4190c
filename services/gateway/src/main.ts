import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { createSocketPipe } from './proxy.ts'

runMain(async () => {
  const config = readConfig()
  const ctx = await createContext(config)
  const health = { checks: {}, draining: false }
  const pipe = createSocketPipe(ctx)
  await serve({
    config,
    logger: ctx.logger,
    maxConnections: config.MAX_CONNECTIONS,
    health,
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx, health),
    onServer: (server) => {
      server.on('upgrade', pipe.take)
    },
    drain: pipe.close,
    close: ctx.close,
  })
})
