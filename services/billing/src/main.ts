import { openSubscription } from '@sumlock/bus/service-bus'
import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { purgeHandlers } from './consumers/purges.ts'
import { createContext } from './context.ts'

runMain(async () => {
  const ctx = await createContext(readConfig())
  openSubscription(ctx, { bus: ctx.bus, group: 'billing', handlers: purgeHandlers(ctx) })
  await serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
})
