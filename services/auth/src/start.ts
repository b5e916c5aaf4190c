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
/**
 * Mails are written right after the answer to their request. This interval is for requests that a stopped process has left.
 */
const writeMailsEveryMs = 5000

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = await createContext(readConfig(env))
  ctx.repeat({
    name: 'pruning',
    everyMs: pruneEveryMs,
    run: (stopping) => pruneDue(ctx, ctx.clock.now(), stopping),
  })
  ctx.repeat({ name: 'purging', everyMs: pruneEveryMs, run: (stopping) => purgeDue(ctx, stopping) })
  ctx.repeat({
    name: 'writing mails',
    everyMs: writeMailsEveryMs,
    run: (stopping) => writeDueMails(ctx, stopping),
  })
  ctx.repeat({
    name: 'carrying out resets',
    everyMs: resetEveryMs,
    run: (stopping) => resetDue(ctx, stopping),
  })
  return serve(ctx, { publicApp: createPublicApp(ctx), internalApp: createInternalApp(ctx) })
}
