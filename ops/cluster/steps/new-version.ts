import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kubernetes } from '../kubernetes.ts'
import { pageBlock } from '../pages/page-block.ts'
import { pagePlaces } from '../pages/page-places.ts'
import { pageTree, treeFolder } from '../pages/page-tree.ts'
import { runBlock } from '../pages/run-block.ts'
import { podsOf, rolledOut } from './replicas.ts'
import { namespace, overlay, swap } from './try-step.ts'
import type { TryContext, TryStep } from './try-step.ts'

const setting = {
  file: 'k8s/base/settings/gateway.env',
  from: 'UPSTREAM_MAX_CONCURRENCY=64',
  by: 'UPSTREAM_MAX_CONCURRENCY=63',
}

export const newVersion: TryStep = {
  name: 'new-version',
  proves:
    'the lines for a new version end, an unchanged overlay has no diff, a changed setting or image rolls its pods',
  async run(context) {
    const { kubernetes } = context
    const folder = pageTree(context)
    const block = swap(pageBlock(pagePlaces.newVersion), 'k8s/deploy/production', overlay)
    const startedAt = performance.now()
    await kubernetes.watched({ namespace }, (signal) => runBlock(block, { kubernetes, folder, signal }))
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    await requireNoDiff(kubernetes, join(folder, overlay))

    await requireRollsOnlyGateway(context, 'setting of gateway', () => {
      const file = join(folder, setting.file)
      writeFileSync(file, swap(readFileSync(file, 'utf8'), setting.from, setting.by))
    })
    const { rebuilt } = context
    if (rebuilt)
      await requireRollsOnlyGateway(context, 'image of gateway', () => pageTree({ images: rebuilt }))
    return {
      "seconds of the page's lines": seconds,
      'differences of an unchanged overlay': 0,
      'services that a changed setting of gateway replaced': 'gateway',
      'services that a rebuilt image of gateway replaced': rebuilt ? 'gateway' : 'not tried in this cluster',
    }
  },
}

/** Changes the copy of the repository, applies it, and puts back what was there. Only the gateway may get new pods. */
async function requireRollsOnlyGateway(
  context: TryContext,
  what: string,
  change: () => unknown,
): Promise<void> {
  const { kubernetes } = context
  const before = await podsByService(kubernetes)
  change()
  await applyTree(context)
  const replaced = replacedServices(before, await podsByService(kubernetes))
  if (replaced.join() !== 'gateway')
    throw new Error(`A changed ${what} replaced the pods of: ${replaced.join(', ') || 'none'}.`)
  pageTree(context)
  await applyTree(context)
}

async function applyTree({ kubernetes }: TryContext): Promise<void> {
  await kubernetes.kubectl('apply', '--kustomize', join(treeFolder, overlay))
  await rolledOut(kubernetes, ['deployment/gateway'])
}

async function requireNoDiff({ kubectl }: Kubernetes, source: string): Promise<void> {
  // kubectl ends with 1, and so rejects, when there is a difference.
  await kubectl('diff', '--kustomize', source).catch((cause: unknown) => {
    throw new Error('An overlay that was just applied has a diff.', { cause })
  })
}

type PodsByService = ReadonlyMap<string, string>

async function podsByService(kubernetes: Kubernetes): Promise<PodsByService> {
  const pods = await podsOf(kubernetes)
  const running = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const names = Map.groupBy(running, ({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] ?? '')
  return new Map(
    [...names].map(([name, own]) => [
      name,
      own
        .map(({ metadata }) => metadata.uid)
        .sort()
        .join(),
    ]),
  )
}

const replacedServices = (before: PodsByService, after: PodsByService): string[] =>
  [...after].filter(([name, uids]) => before.get(name) !== uids).map(([name]) => name)
