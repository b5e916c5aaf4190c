import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { createSocketPipe } from './socket-pipe.ts'

runMain(async () => {
  const ctx = await createContext(readConfig())
  const pipe = createSocketPipe(ctx)
  await serve(ctx, {
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx),
    maxConnections: ctx.config.MAX_CONNECTIONS,
    onServer: (server) => {
      server.on('upgrade', pipe.accept)
    },
    drain: pipe.close,
  })
})
