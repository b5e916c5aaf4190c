import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'

runMain(async () => {
  const ctx = await createContext(readConfig())
  await serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
})
