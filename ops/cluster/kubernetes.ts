import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { childEnvironment, repoRoot } from '@sumlock/dev/config'
import { createChild } from '@sumlock/dev/processes/child'
import { freePorts } from '@sumlock/dev/processes/ports'
import type { Progress } from '@sumlock/dev/processes/progress'
import { jobTrouble, podTrouble, rolloutTrouble } from './trouble.ts'
import type { ConditionedObject, PodState } from './trouble.ts'

export interface KubernetesOptions {
  kubectlPath: string
  kubeconfig: string
  progress: Progress
}

export interface ForwardOptions {
  namespace: string
  /** What kubectl takes: `service/edge`, `deployment/auth`, `pod/mongo-0`. */
  target: string
  port: number
}

export interface Forward {
  /** The forwarded address is `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

export interface WaitFor {
  namespace: string
  timeoutMs?: number
}

type Kubectl = (...args: string[]) => Promise<string>

/** A cluster, of which only kubectl and a kubeconfig are known. */
export interface Kubernetes extends KubernetesOptions {
  /** Runs kubectl and returns its output. Rejects with the reason that kubectl or the server gave. */
  kubectl: Kubectl
  /** Runs kubectl with a text as its standard input. */
  kubectlWith(input: string, ...args: string[]): Promise<string>
  /** Returns the items of `kubectl get <args> -o json`. */
  list<T>(...args: string[]): Promise<T[]>
  apply(manifests: string | readonly object[]): Promise<void>
  /** Waits until `ready` returns true. Rejects at once, with the cause, when a pod, Job or rollout in the namespace fails. */
  waitFor(what: string, ready: () => Promise<boolean>, options: WaitFor): Promise<void>
  /**
   * Runs `work`, and aborts it at once, with the cause, when a pod, Job or rollout in the namespace fails. `kubectl` ends
   * with the signal. Jobs that had failed before are left out.
   */
  watched<T>(options: WaitFor, work: (signal: AbortSignal, kubectl: Kubectl) => Promise<T>): Promise<T>
  /** Forwards a free port of this machine's loopback to a port in the cluster, until it is closed. */
  forward(options: ForwardOptions): Promise<Forward>
}

const lookEveryMs = 1500

type Watched = PodState & ConditionedObject & { kind: string; metadata: { uid: string } }

interface Fault {
  kind: string
  text: string
}

const troubleOf: Readonly<Record<string, (object: Watched) => string | undefined>> = {
  Pod: podTrouble,
  Job: jobTrouble,
  Deployment: rolloutTrouble,
}

export function createKubernetes({ kubectlPath, kubeconfig, progress }: KubernetesOptions): Kubernetes {
  const env = { ...childEnvironment(), KUBECONFIG: kubeconfig }

  const runKubectl = async (args: readonly string[], input: string, signal?: AbortSignal) => {
    const child = spawn(kubectlPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'], signal })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // kubectl may end before it has read everything; its exit code tells then.
    child.stdin.on('error', () => undefined).end(input)
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return stdout
    throw new Error(`kubectl ${args.join(' ')} ended with ${code}\n${(stderr || stdout).slice(-2000)}`)
  }
  const kubectl: Kubectl = (...args) => runKubectl(args, '')
  const list = async <T>(...args: string[]) =>
    (JSON.parse(await kubectl('get', ...args, '--output=json')) as { items: T[] }).items

  /** Lists the faults of a namespace by the id of the pod, Job or Deployment. */
  const faultsIn = async (namespace: string): Promise<ReadonlyMap<string, Fault>> => {
    const objects = await list<Watched>('pods,jobs,deployments', `--namespace=${namespace}`)
    return new Map(
      objects.flatMap((object) => {
        const text = troubleOf[object.kind]?.(object)
        return text === undefined ? [] : [[object.metadata.uid, { kind: object.kind, text }]]
      }),
    )
  }
  const warnings = async (namespace: string) => {
    const columns = '--output=custom-columns=:.involvedObject.name,:.reason,:.message'
    const only = [
      '--field-selector=type=Warning,involvedObject.kind=Pod',
      '--sort-by=.lastTimestamp',
      '--no-headers',
    ]
    const text = await kubectl('get', 'events', `--namespace=${namespace}`, ...only, columns).catch(String)
    return text.trim().split('\n').slice(-3)
  }

  const watched: Kubernetes['watched'] = async ({ namespace }, work) => {
    const aborting = new AbortController()
    const done = new AbortController()
    const { signal } = aborting
    const look = async (before: ReadonlyMap<string, Fault>) => {
      const isNew = ([id, { kind }]: [string, Fault]) => kind !== 'Job' || !before.has(id)
      const [fault] = [...(await faultsIn(namespace))].filter(isNew)
      if (fault && !done.signal.aborted)
        aborting.abort(new Error([fault[1].text, ...(await warnings(namespace))].join('\n    ')))
    }
    const watch = async () => {
      const before = await faultsIn(namespace).catch(() => new Map<string, Fault>())
      while (!done.signal.aborted && !signal.aborted) {
        // A cluster that does not answer is a matter of the work's own timeout.
        await look(before).catch(() => undefined)
        await wait(lookEveryMs, undefined, { signal: done.signal }).catch(() => undefined)
      }
    }
    const watching = watch()
    try {
      return await work(signal, (...args) => runKubectl(args, '', signal))
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      done.abort()
      await watching
    }
  }

  return {
    kubectlPath,
    kubeconfig,
    progress,
    kubectl,
    kubectlWith: (input, ...args) => runKubectl(args, input),
    list,
    watched,
    async apply(manifests) {
      const text =
        typeof manifests === 'string'
          ? manifests
          : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests })
      await runKubectl(['apply', '--filename=-'], text)
    },
    async waitFor(what, ready, options) {
      const { timeoutMs = 300_000 } = options
      await watched(options, (signal) =>
        waitUntil(what, ready, {
          timeoutMs,
          everyMs: lookEveryMs,
          giveUp: () => signal.throwIfAborted(),
        }),
      )
    },
    async forward({ namespace, target, port }) {
      const [local = 0] = await freePorts(1)
      const child = createChild({
        name: `forward-${local}`,
        command: kubectlPath,
        args: ['port-forward', `--namespace=${namespace}`, '--address=127.0.0.1', target, `${local}:${port}`],
        env: { KUBECONFIG: kubeconfig },
        logDir: join(repoRoot, '.data/k8s-try/logs'),
        port: local,
      })
      child.onUnexpectedExit((reason) => progress(`kubectl port-forward ${target} ${reason}.`))
      await child.start()
      return { url: `http://127.0.0.1:${local}`, port: local, close: () => child.stop() }
    },
  }
}
