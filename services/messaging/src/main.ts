import { openSubscription } from '@sumlock/bus/service-bus'
import { createRepeater } from '@sumlock/service-kit/repeater'
import { runMain, serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { peopleHandlers } from './consumers/people.ts'
import { subscriptionHandlers } from './consumers/subscriptions.ts'
import { createContext } from './context.ts'
import { emptyDue } from './use-cases/empty-for-both.ts'
import { publishExpiries } from './use-cases/publish-expiries.ts'
import { createReconcileEntitlements } from './use-cases/reconcile-entitlements.ts'

const publishEveryMs = 1000
const reconcileEveryMs = 20_000
const emptyEveryMs = 600_000

runMain(async () => {
  const ctx = await createContext(readConfig())
  const handlers = [...peopleHandlers(ctx), ...subscriptionHandlers(ctx)]
  openSubscription(ctx, { bus: ctx.bus, group: 'messaging', handlers })
  const publishing = createRepeater({
    name: 'publishing expiries of premium',
    everyMs: publishEveryMs,
    logger: ctx.logger,
    run: () => publishExpiries(ctx, ctx.clock.now()),
  })
  ctx.onClose(publishing.stop)
  const reconciling = createRepeater({
    name: 'reconciling entitlements with billing',
    everyMs: reconcileEveryMs,
    logger: ctx.logger,
    run: createReconcileEntitlements(ctx),
  })
  ctx.onClose(reconciling.stop)
  const emptying = createRepeater({
    name: 'emptying what both members deleted',
    everyMs: emptyEveryMs,
    logger: ctx.logger,
    run: () => emptyDue(ctx),
  })
  ctx.onClose(emptying.stop)
  await serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
})
