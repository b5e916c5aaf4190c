import { createRepeater } from '@sumlock/service-kit/repeater'
import { serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { resetDue } from './use-cases/carry-out-reset.ts'
import { pruneDue } from './use-cases/prune-due.ts'
import { purgeDue } from './use-cases/purge-due.ts'
import { writeDueMails } from './use-cases/write-due-mails.ts'

const pruneEveryMs = 600_000
const resetEveryMs = 10_000
/** Each answer begins its writing itself; this run handles requests that a stopped process has left. */
const writeMailsEveryMs = 5000

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = await createContext(readConfig(env))
  const pruning = createRepeater({
    name: 'pruning',
    everyMs: pruneEveryMs,
    logger: ctx.logger,
    run: (stopping) => pruneDue(ctx, ctx.clock.now(), stopping),
  })
  const purging = createRepeater({
    name: 'purging',
    everyMs: pruneEveryMs,
    logger: ctx.logger,
    run: (stopping) => purgeDue(ctx, stopping),
  })
  const writing = createRepeater({
    name: 'writing mails',
    everyMs: writeMailsEveryMs,
    logger: ctx.logger,
    run: (stopping) => writeDueMails(ctx, stopping),
  })
  const resetting = createRepeater({
    name: 'carrying out resets',
    everyMs: resetEveryMs,
    logger: ctx.logger,
    run: (stopping) => resetDue(ctx, stopping),
  })
  ctx.onClose(resetting.stop)
  ctx.onClose(writing.stop)
  ctx.onClose(purging.stop)
  ctx.onClose(pruning.stop)
  return serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
}
