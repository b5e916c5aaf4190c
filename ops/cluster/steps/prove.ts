import { join } from 'node:path'
import { step as shown } from '@sumlock/dev/processes/progress'
import type { Kubernetes } from '../kubernetes.ts'
import { pageTree } from '../pages/page-tree.ts'
import { policies } from './policies.ts'
import { rolling } from './restarts.ts'
import { namespace, overlay } from './try-step.ts'
import type { TryContext, TryStep } from './try-step.ts'

interface Fault {
  title: string
  plant(kubernetes: Kubernetes): Promise<unknown>
  step: TryStep
  /** The failure of the step must name this. */
  cause: RegExp
}

const inNamespace = `--namespace=${namespace}`

const patchDeployment = ({ kubectl }: Kubernetes, name: string, spec: object) =>
  kubectl('patch', 'deployment', name, inNamespace, '--type=strategic', `--patch=${JSON.stringify({ spec })}`)

const faults: readonly Fault[] = [
  {
    title: 'one NetworkPolicy is missing',
    plant: ({ kubectl }) => kubectl('delete', 'networkpolicy', 'redis', inNamespace),
    step: policies,
    cause: /gateway → redis:6379 is closed/,
  },
  {
    title: 'one memory limit is too small',
    plant: (kubernetes) => {
      const resources = { requests: { memory: '24Mi' }, limits: { memory: '24Mi' } }
      const template = { spec: { containers: [{ name: 'realtime', resources }] } }
      return patchDeployment(kubernetes, 'realtime', { template })
    },
    step: rolling,
    cause: /pod realtime-\S+, container realtime: OOMKilled/,
  },
  {
    title: 'one replica is never ready',
    plant: (kubernetes) => {
      const readinessProbe = { httpGet: { path: '/never', port: 'internal' } }
      const template = { spec: { containers: [{ name: 'gateway', readinessProbe }] } }
      return patchDeployment(kubernetes, 'gateway', { progressDeadlineSeconds: 20, template })
    },
    step: rolling,
    // The watch and `kubectl rollout status` learn of it at the same time.
    cause: /deployment gateway: ProgressDeadlineExceeded|deployment "gateway" exceeded its progress deadline/,
  },
]

/** Plants one fault after the other, and returns how many. Rejects when a step stays green, or is red without naming the fault. */
export async function proveSteps(context: TryContext): Promise<number> {
  for (const { title, plant, step, cause } of faults)
    await shown(context.progress, `Proving that ${step.name} is red when ${title}`, async () => {
      try {
        await plant(context.kubernetes)
        const outcome = await step.run(context).then(
          () => 'green',
          (error: unknown) => String(error),
        )
        if (!cause.test(outcome))
          throw new Error(`${step.name} must name the fault "${title}" (${cause.source}). It was: ${outcome}`)
        context.progress(`  red, as it must be: ${outcome}`)
      } finally {
        await undo(context)
      }
    })
  return faults.length
}

/** Applies the overlay again, which puts back what a fault has changed or deleted. */
async function undo(context: TryContext): Promise<void> {
  const { kubernetes } = context
  await kubernetes.kubectl('apply', '--kustomize', join(pageTree(context), overlay))
  // The pods with the fault may still be there, so nothing watches for faults.
  for (const name of ['realtime', 'gateway'])
    await kubernetes.kubectl('rollout', 'status', `deployment/${name}`, inNamespace, '--timeout=3m')
}
