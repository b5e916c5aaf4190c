import { openSubscription } from '@sumlock/bus/service-bus'
import { createRepeater } from '@sumlock/service-kit/repeater'
import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { peopleHandlers } from './consumers/people.ts'
import { subscriptionHandlers } from './consumers/subscriptions.ts'
import { createContext } from './context.ts'
import { announceExpiries } from './use-cases/announce-expiries.ts'

const announceEveryMs = 1000

runMain(async () => {
  const ctx = await createContext(readConfig())
  const handlers = [...peopleHandlers(ctx), ...subscriptionHandlers(ctx)]
  openSubscription(ctx, { bus: ctx.bus, group: 'messaging', handlers })
  const announcing = createRepeater({
    name: 'announcing expiries',
    everyMs: announceEveryMs,
    logger: ctx.logger,
    run: () => announceExpiries(ctx, ctx.clock.now()),
  })
  ctx.onClose(announcing.stop)
  await serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
})
