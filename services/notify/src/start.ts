import { openSubscription } from '@sumlock/bus/service-bus'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { finishApp } from '@sumlock/service-kit/http-app'
import { serve } from '@sumlock/service-kit/serve'
import { createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { noticeHandlers } from './consumers/notices.ts'
import { purgeHandlers } from './consumers/purges.ts'
import { createContext } from './context.ts'
import { createDelivering } from './use-cases/deliver-due.ts'
import { pruneDeliveries } from './use-cases/prune-deliveries.ts'

const deliverEveryMs = 2000
const pruneEveryMs = 3600_000

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = await createContext(readConfig(env))
  const { bus, repeat, onClose } = ctx
  repeat({ name: 'pruning deliveries', everyMs: pruneEveryMs, run: () => pruneDeliveries(ctx) })
  const delivering = createDelivering(ctx, { onFree: () => beginning.kick() })
  onClose(delivering.settled)
  const beginning = repeat({ name: 'delivering notices', everyMs: deliverEveryMs, run: delivering.begin })
  const handlers = [...noticeHandlers(ctx, beginning.kick), ...purgeHandlers(ctx)]
  openSubscription(ctx, { bus, group: 'notify', handlers })
  return serve(ctx, {
    publicApp: createPublicApp(ctx),
    internalApp: finishApp(createInternalHttpApp(ctx), ctx),
  })
}
