import { openSubscription } from '@sumlock/bus/service-bus'
import { serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { purgeHandlers } from './consumers/purges.ts'
import { createContext } from './context.ts'
import { jobKinds } from './job-kinds.ts'
import { runDue } from './use-cases/run-due.ts'

const dueEveryMs = 20_000

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = await createContext(readConfig(env))
  const handlers = purgeHandlers(ctx)
  openSubscription(ctx, { bus: ctx.bus, group: 'billing', handlers })
  ctx.repeat({
    name: 'finishing payments and gifts',
    everyMs: dueEveryMs,
    run: (stopping) => runDue(ctx, ctx.clock.now(), stopping),
  })
  ctx.jobs.start(jobKinds(ctx))
  return serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
}
