import { arrivalsAt } from './crowd.ts'
import { openEdge } from './edge.ts'
import { everyService, killOne, rolledOut, scale } from './replicas.ts'
import { namespace } from './try-step.ts'
import type { TryContext, TryStep } from './try-step.ts'
import { figuresOf, refusedNever, underLoad } from './under-load.ts'
import type { LoadResult } from './under-load.ts'

export const rolling: TryStep = {
  name: 'rolling',
  proves: 'a rolling restart of all services under load refuses, loses and doubles no message',
  run: (context) =>
    loaded(context, async ({ kubernetes }) => {
      await kubernetes.kubectl('rollout', 'restart', `--namespace=${namespace}`, ...everyService)
      await rolledOut(kubernetes, everyService)
    }),
}

const inTwo = ['gateway', 'messaging', 'auth', 'realtime']

export const kills: TryStep = {
  name: 'kills',
  proves: 'with two replicas, the death of one of them loses and doubles no message',
  async run(context) {
    await scale(context.kubernetes, inTwo, 2)
    try {
      return await loaded(
        context,
        async ({ kubernetes }) => {
          for (const service of inTwo) await killOne(kubernetes, service)
        },
        refusedAsBusy,
      )
    } finally {
      await scale(context.kubernetes, inTwo, 1)
    }
  },
}

export const engineKills: TryStep = {
  name: 'engine-kills',
  proves: 'the death of MongoDB, Kafka or Redis loses and doubles no message; refused sends are repeated',
  run: (context) =>
    loaded(
      context,
      async ({ kubernetes }) => {
        for (const engine of ['mongo', 'kafka', 'redis']) await killOne(kubernetes, engine)
      },
      refusedAsBusy,
    ),
}

async function loaded(
  context: TryContext,
  work: (context: TryContext) => Promise<void>,
  accept: (result: LoadResult) => void = refusedNever,
) {
  const edge = await openEdge(context.kubernetes)
  try {
    let workSeconds = 0
    const result = await underLoad(arrivalsAt(edge.url), async () => {
      const startedAt = performance.now()
      await work(context)
      workSeconds = Math.round((performance.now() - startedAt) / 100) / 10
    })
    accept(result)
    return { 'seconds of the work under load': workSeconds, ...figuresOf(result) }
  } finally {
    await edge.close()
  }
}

/** nginx answers 502 or 504 for a replica that died with the request; the client repeats these sends like a 503. */
function refusedAsBusy({ refusals }: LoadResult): void {
  const others = [...refusals.keys()].filter((answer) => !/^50[234]\b/.test(answer))
  if (others.length > 0) throw new Error(`Sends were refused otherwise than with 503: ${others.join(', ')}.`)
}
