import { openSubscription } from '@sumlock/bus/service-bus'
import { serve } from '@sumlock/service-kit/serve'
import { createInternalApp, createPublicApp } from './app.ts'
import { readConfig } from './config.ts'
import { peopleHandlers } from './consumers/people.ts'
import { subscriptionHandlers } from './consumers/subscriptions.ts'
import { createContext } from './context.ts'
import { longestUploadMs } from './domain/media.ts'
import { jobKinds } from './job-kinds.ts'
import { noteDueEmptying } from './use-cases/empty-for-both.ts'
import { eraseVanished } from './use-cases/erase-vanished.ts'
import { publishExpiries } from './use-cases/publish-expiries.ts'
import { pruneReports } from './use-cases/prune-reports.ts'
import { breakOffHiddenReads } from './use-cases/read-media.ts'
import { createEntitlementReader, createPeopleReader } from './use-cases/read-owners-changes.ts'
import { sweepMedia } from './use-cases/sweep-media.ts'

const publishEveryMs = 1000
const readEveryMs = 1000
const noteEveryMs = 60_000
const pruneEveryMs = 600_000
const sweepEveryMs = 5000
const eraseEveryMs = 5000
const lookAtReadsEveryMs = 400

export async function start(env?: NodeJS.ProcessEnv) {
  const ctx = await createContext(readConfig(env))
  // Messages whose time ended during an outage, or that a restore brought back, are erased before the first answer.
  await eraseVanished(ctx, ctx.clock.now())
  const repeat = (name: string, everyMs: number, run: (stopping: AbortSignal) => Promise<unknown>) =>
    ctx.repeat({ name, everyMs, run })
  const people = repeat('reading changes of people', readEveryMs, createPeopleReader(ctx))
  const entitlements = repeat('reading changes of premium', readEveryMs, createEntitlementReader(ctx))
  const handlers = [...peopleHandlers(ctx, people.kick), ...subscriptionHandlers(entitlements.kick)]
  openSubscription(ctx, { bus: ctx.bus, group: 'messaging', handlers })
  repeat('publishing expiries of premium', publishEveryMs, (stopping) =>
    publishExpiries(ctx, ctx.clock.now(), { stopping }),
  )
  ctx.jobs.start(jobKinds(ctx))
  repeat('noting what both members deleted', noteEveryMs, (stopping) => noteDueEmptying(ctx, stopping))
  repeat('pruning reports', pruneEveryMs, (stopping) => pruneReports(ctx, ctx.clock.now(), stopping))
  repeat('removing media without readers', sweepEveryMs, (stopping) =>
    sweepMedia(ctx, ctx.clock.now(), stopping),
  )
  repeat('erasing vanished messages', eraseEveryMs, (stopping) =>
    eraseVanished(ctx, ctx.clock.now(), stopping),
  )
  repeat('ending reads of hidden media', lookAtReadsEveryMs, () => breakOffHiddenReads(ctx))
  return serve(ctx, {
    publicApp: createPublicApp(ctx),
    internalApp: createInternalApp(ctx),
    requestTimeoutMs: longestUploadMs,
  })
}
