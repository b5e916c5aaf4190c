import { limits } from '@sumlock/contracts/limits'
import { serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig, trustedHops } from './config.ts'
import { connectionsPerAddress, countDropped, limitConnections, maxHeaderBytes } from './connections.ts'
import { createContext } from './context.ts'
import { uploadTimeMs } from './pipeline/limit-streams.ts'
import { createSocketPipe } from './socket-pipe.ts'

/** The server's own limit must allow the longest upload. The pipeline ends shorter uploads and other bodies sooner. */
const longestRequestMs = uploadTimeMs(limits.objectMaxBytes) + 60_000

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = createContext(readConfig(env))
  // Without a trusted proxy, browsers connect directly, and the gateway limits their connections. A proxy of ours limits them itself.
  const isEdge = trustedHops(ctx.config) === 0
  const pipe = ctx.sockets && createSocketPipe(ctx, ctx.sockets)
  return serve(ctx, {
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx),
    maxConnections: ctx.config.MAX_CONNECTIONS,
    requestTimeoutMs: longestRequestMs,
    maxHeaderBytes,
    onServer: (server) => {
      countDropped(server, ctx.metrics.refused)
      if (isEdge && ctx.config.RATE_LIMITS === 'on')
        limitConnections(
          server,
          { total: ctx.config.MAX_CONNECTIONS, perAddress: connectionsPerAddress },
          ctx.metrics.refused,
        )
      if (pipe) server.on('upgrade', pipe.accept)
    },
    drain: pipe?.close,
  })
}
