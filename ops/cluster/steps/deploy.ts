import { pageBlock } from '../pages/page-block.ts'
import { pagePlaces } from '../pages/page-places.ts'
import { pageTree } from '../pages/page-tree.ts'
import { runBlock } from '../pages/run-block.ts'
import { makePair } from './crowd.ts'
import { openEdge } from './edge.ts'
import { sendOne } from './messages.ts'
import { markAsOwn } from './own-namespaces.ts'
import { namespace } from './try-step.ts'
import type { TryContext, TryStep } from './try-step.ts'

export const deploy: TryStep = {
  name: 'deploy',
  proves: 'the lines of docs/deploy-kubernetes.md lead from no namespace to a message on a socket',
  isNeeded: true,
  async run(context) {
    const { kubernetes } = context
    await kubernetes.kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--timeout=5m')
    const startedAt = performance.now()
    const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10
    await deployByThePage(context)
    const available = seconds()
    await markAsOwn(kubernetes, namespace)
    const edge = await openEdge(kubernetes)
    try {
      const message = await sendOne(await makePair(edge.url))
      return {
        'seconds until every deployment is available': available,
        'seconds until a message is on a socket': seconds(),
        'milliseconds from the send to the socket': message.toSocketMs,
      }
    } finally {
      await edge.close()
    }
  },
}

/** Runs the lines of the page for a cluster of one's own, from secrets to services. */
export async function deployByThePage(context: TryContext): Promise<void> {
  const { kubernetes } = context
  const folder = pageTree(context)
  for (const place of [pagePlaces.secrets, pagePlaces.everythingElse])
    await kubernetes.watched({ namespace }, (signal) =>
      runBlock(pageBlock(place), { kubernetes, folder, signal }),
    )
}
