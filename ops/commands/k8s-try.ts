import { access } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { createKubernetes } from '../cluster/kubernetes.ts'
import { startCluster } from '../cluster/machine/cluster.ts'
import { prepareCluster } from '../cluster/machine/own-cluster.ts'
import type { PreparedCluster } from '../cluster/machine/own-cluster.ts'
import { runSandboxed } from '../cluster/machine/run-sandboxed.ts'
import { isOwnPossible } from '../cluster/machine/sandbox.ts'
import { engineNamespaces } from '../cluster/production/engines.ts'
import { productionSteps } from '../cluster/production/production-steps.ts'
import { localSteps } from '../cluster/steps/local-steps.ts'
import { requireOwn } from '../cluster/steps/own-namespaces.ts'
import { proveSteps } from '../cluster/steps/prove.ts'
import { chosenSteps, runSteps } from '../cluster/steps/run-steps.ts'
import { namespace } from '../cluster/steps/try-step.ts'
import type { TryContext, TryStep } from '../cluster/steps/try-step.ts'
import { kubectlBinary } from '../manifests/go-programs.ts'

// npm run k8s:try [-- --only STEP]… [--prove] [--keep] [--kubeconfig FILE]
// Starts a cluster of one node from packages, deploys the product there, and tries it; docs/deploy-kubernetes.md has the
// steps. Needs Linux and root. Nothing is left afterwards but the cache.
// --only       runs this step; may be given several times. A new cluster needs deploy or production before the others
// --prove      deploys, then plants faults, each of which a step must name
// --keep       leaves the cluster running after the steps, until Ctrl-C
// --kubeconfig runs the steps in this cluster instead, which must have the images and
//              no namespace of the steps' names that something else made; its DNS keeps two names of the try
const options = {
  kubeconfig: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] as string[] },
  keep: { type: 'boolean', default: false },
  prove: { type: 'boolean', default: false },
  /** For the command itself, which starts again inside the sandbox: the setup of the cluster, as JSON. */
  inside: { type: 'string' },
} as const
const { values } = readArguments()

function readArguments() {
  try {
    return parseArgs({ options })
  } catch (error) {
    return failWith(error)
  }
}

const steps: readonly TryStep[] = [...localSteps, ...productionSteps()]

const proof: TryStep = {
  name: 'prove',
  proves: 'the steps are red, and name the cause, when something is wrong',
  run: async (context) => ({ 'faults that were named': await proveSteps(context) }),
}

async function trySteps(
  kubectlPath: string,
  kubeconfig: string,
  built: Pick<TryContext, 'images' | 'rebuilt'> = {},
): Promise<void> {
  const kubernetes = createKubernetes({ kubectlPath, kubeconfig, progress })
  const context = { kubernetes, progress, ...built }
  if (values.prove) await runSteps([...chosenSteps(localSteps, ['deploy']), proof], context)
  else await runSteps(steps, context, { only: values.only })
}

async function tryInOtherCluster(kubeconfig: string): Promise<void> {
  await access(kubeconfig)
  const kubectlPath = await kubectlBinary(progress)
  const kubernetes = createKubernetes({ kubectlPath, kubeconfig, progress })
  await requireOwn(kubernetes, [namespace, ...engineNamespaces])
  await trySteps(kubectlPath, kubeconfig)
}

async function tryInOwnCluster(): Promise<void> {
  if (!isOwnPossible())
    throw new Error(
      'A cluster of its own needs Linux and root. --kubeconfig FILE runs the steps in one that you have.',
    )
  await runSandboxed({
    command: import.meta.filename,
    args: process.argv.slice(2),
    prepare: (folder, programs, ending) => prepareCluster(folder, programs, progress, ending),
    progress,
  })
}

/** Runs inside the sandbox. */
async function tryInside(inside: string): Promise<void> {
  const { cluster, images, rebuilt } = JSON.parse(inside) as PreparedCluster
  const { kubectl } = cluster.programs
  const kubeconfig = await startCluster({ ...cluster, progress })
  await trySteps(kubectl, kubeconfig, { images, rebuilt }).finally(() =>
    values.keep ? keepRunning(kubectl, kubeconfig) : undefined,
  )
}

/** Waits until the person presses Ctrl-C, which ends the sandbox. */
function keepRunning(kubectl: string, kubeconfig: string): Promise<void> {
  const enter = 'nsenter --all --target $(pgrep --oldest --full "tini -s --.*k8s-try")'
  progress(
    `The cluster runs until Ctrl-C. To reach it:\n${enter} ${kubectl} --kubeconfig ${kubeconfig} get pods -A`,
  )
  return new Promise(() => setInterval(() => undefined, 60_000))
}

try {
  chosenSteps(steps, values.only)
  if (values.inside !== undefined) await tryInside(values.inside)
  else if (values.kubeconfig !== undefined) await tryInOtherCluster(values.kubeconfig)
  else await tryInOwnCluster()
} catch (error) {
  failWith(error)
}
process.exit()
