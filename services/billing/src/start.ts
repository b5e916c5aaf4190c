import { openSubscription } from '@sumlock/bus/service-bus'
import { createRepeater } from '@sumlock/service-kit/repeater'
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
  const due = createRepeater({
    name: 'finishing payments and gifts',
    everyMs: dueEveryMs,
    logger: ctx.logger,
    run: (stopping) => runDue(ctx, ctx.clock.now(), stopping),
  })
  ctx.onClose(due.stop)
  ctx.jobs.start(jobKinds(ctx))
  return serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
}
