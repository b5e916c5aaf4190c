import { serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { createSocketPipe } from './socket-pipe.ts'

/** 60 MB at 0.5 Mbit/s. The pipeline gives any other body five seconds. */
const longestUploadMs = 16 * 60_000

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = await createContext(readConfig(env))
  const pipe = createSocketPipe(ctx)
  return serve(ctx, {
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx),
    maxConnections: ctx.config.MAX_CONNECTIONS,
    requestTimeoutMs: longestUploadMs,
    onServer: (server) => {
      server.on('upgrade', pipe.accept)
    },
    drain: pipe.close,
  })
}
