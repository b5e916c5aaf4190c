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
  /** Faults of these pods, Jobs and Deployments end nothing, by their names' beginnings. */
  except?: readonly string[]
}

/** A cluster, of which only kubectl and a kubeconfig are known. */
export interface Kubernetes extends KubernetesOptions {
  /** Runs kubectl and returns its output. Rejects with the reason that kubectl or the server gave. */
  kubectl(...args: string[]): Promise<string>
  /** Runs kubectl with a text as its standard input. */
  kubectlWith(input: string, ...args: string[]): Promise<string>
  /** Returns the items of `kubectl get <args> -o json`. */
  list<T>(...args: string[]): Promise<T[]>
  apply(manifests: string | readonly object[]): Promise<void>
  /** Waits until `ready` returns true. Rejects at once, with the cause, when a pod, Job or rollout in the namespace fails. */
  waitFor(what: string, ready: () => Promise<boolean>, options: WaitFor): Promise<void>
  /** Runs `work`, and aborts it at once when a pod, Job or rollout in the namespace fails. */
  watched<T>(options: WaitFor, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Forwards a free port of this machine's loopback to a port in the cluster, until it is closed. */
  forward(options: ForwardOptions): Promise<Forward>
}

const lookEveryMs = 1500

const troubleOf: Readonly<Record<string, (object: PodState & ConditionedObject) => string | undefined>> = {
  Pod: podTrouble,
  Job: jobTrouble,
  Deployment: rolloutTrouble,
}

export function createKubernetes({ kubectlPath, kubeconfig, progress }: KubernetesOptions): Kubernetes {
  const env = { ...childEnvironment(), KUBECONFIG: kubeconfig }

  const kubectlWith = async (input: string, ...args: string[]) => {
    const child = spawn(kubectlPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // kubectl may end before it has read everything; its exit code tells then.
    child.stdin.on('error', () => undefined).end(input)
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return stdout
    throw new Error(`kubectl ${args.join(' ')} ended with ${code}\n${(stderr || stdout).slice(-2000)}`)
  }
  const kubectl = (...args: string[]) => kubectlWith('', ...args)
  const list = async <T>(...args: string[]) =>
    (JSON.parse(await kubectl('get', ...args, '--output=json')) as { items: T[] }).items

  /** Returns the first fault with the newest warnings about it, or undefined when there is none. */
  const trouble = async ({ namespace, except = [] }: WaitFor): Promise<string | undefined> => {
    const objects = await list<PodState & { kind: string }>(
      'pods,jobs,deployments',
      `--namespace=${namespace}`,
    )
    const faults = objects
      .filter(({ metadata }) => !except.some((beginning) => metadata.name.startsWith(beginning)))
      .map((object) => troubleOf[object.kind]?.(object))
    const fault = faults.find((one) => one !== undefined)
    return fault === undefined ? undefined : [fault, ...(await warnings(namespace))].join('\n    ')
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

  const watched: Kubernetes['watched'] = async (options, work) => {
    const aborting = new AbortController()
    const done = new AbortController()
    const watching = (async () => {
      while (!done.signal.aborted) {
        // A cluster that does not answer is a matter of the work's own timeout.
        const fault = await trouble(options).catch(() => undefined)
        if (fault !== undefined && !done.signal.aborted) return aborting.abort(new Error(fault))
        await wait(lookEveryMs, undefined, { signal: done.signal }).catch(() => undefined)
      }
    })()
    try {
      return await work(aborting.signal)
    } catch (error) {
      throw aborting.signal.aborted ? aborting.signal.reason : error
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
    kubectlWith,
    list,
    watched,
    async apply(manifests) {
      const text =
        typeof manifests === 'string'
          ? manifests
          : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests })
      await kubectlWith(text, 'apply', '--filename=-')
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
