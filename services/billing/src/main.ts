import { purgeHandler } from '@sumlock/bus/purge-handler'
import { openSubscription } from '@sumlock/bus/service-bus'
import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'

runMain(async () => {
  const ctx = await createContext(readConfig())
  // The payments stay, without the person.
  const purges = purgeHandler(ctx, 'billing', ctx.ledger.forgetPerson)
  openSubscription(ctx, { bus: ctx.bus, group: 'billing', handlers: [purges] })
  await serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
})
