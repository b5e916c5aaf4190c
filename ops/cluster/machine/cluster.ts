import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createChild } from '@sumlock/dev/processes/child'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { isListening } from '@sumlock/dev/processes/ports'
import { createNetwork } from './network.ts'
import { makeCgroups } from './cgroups.ts'
import {
  apiServerArguments,
  controllerArguments,
  etcdArguments,
  kubeletArguments,
  policyArguments,
} from './arguments.ts'
import { addresses, kubeconfigOf, nodeName, users } from './node-files.ts'
import { writeContainerd, writeKubeconfigs, writeNode } from './node-files.ts'
import type { User } from './node-files.ts'

export type ProgramName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubelet'
  | 'kube-proxy'
  | 'kube-router'
  | 'kubectl'

export interface ClusterSetup {
  /** An empty folder for all data of the cluster, on a file system with room for its images. */
  folder: string
  /** The paths of the compiled programs. */
  programs: Record<ProgramName, string>
  /** The environment in which the container tools are on PATH, and the folder of the network plugins. */
  env: Record<string, string>
  networkPlugins: string
  /** An archive of `docker save` with every image that the cluster will run. */
  archive: string
  progress: Progress
}

/**
 * Starts a cluster of one node, with DNS and enforced network policies, and returns the administrator's kubeconfig. It
 * must run in a sandbox with its own network (sandbox.ts), which ends everything that is started here.
 */
export async function startCluster(setup: ClusterSetup): Promise<string> {
  const { folder, programs, env, networkPlugins, archive, progress } = setup
  const admin = kubeconfigOf(folder, 'admin')
  const kubectl = (...args: string[]) => run(programs.kubectl, ['--kubeconfig', admin, ...args], { env })
  for (const name of ['cni', 'volumes', 'logs']) await mkdir(join(folder, name), { recursive: true })
  await createNetwork()
  await makeCgroups(basename(folder))
  const start = starter(setup)
  await writeContainerd(folder, networkPlugins)
  await writeNode(folder)
  await step(progress, 'Starting etcd and the API server', async () => {
    await writeKubeconfigs(folder, await writeTokens(folder))
    await writeFrontProxy(folder)
    await start('etcd', etcdArguments(folder), { port: 2379 })
    await start('kube-apiserver', apiServerArguments(folder), {
      ready: () => kubectl('get', '--raw=/readyz'),
    })
  })
  const runtime = `unix://${folder}/containerd.sock`
  const ctr = (...args: string[]) =>
    run('ctr', ['--address', runtime.slice(7), '--namespace=k8s.io', ...args], { env })
  await step(progress, 'Loading the images into the container runtime', async () => {
    await start('containerd', ['--config', join(folder, 'containerd.toml')], { ready: () => ctr('version') })
    await ctr('images', 'import', archive)
  })
  await step(progress, 'Starting the node', async () => {
    const kubeconfig = (name: User) => `--kubeconfig=${kubeconfigOf(folder, name)}`
    await start(
      'kube-controller-manager',
      [kubeconfig('controller-manager'), ...controllerArguments(folder)],
      { port: 10257 },
    )
    await start(
      'kube-scheduler',
      [kubeconfig('scheduler'), '--leader-elect=false', '--bind-address=127.0.0.1'],
      { port: 10259 },
    )
    await start('kubelet', [kubeconfig('kubelet'), ...kubeletArguments(folder)], {
      port: 10250,
      host: addresses.node,
    })
    await start('kube-proxy', [`--config=${folder}/proxy.yaml`], { port: 10256, host: addresses.node })
    await kubectl('wait', '--for=create', `node/${nodeName}`, '--timeout=2m')
    await kubectl('annotate', 'node', nodeName, `kube-router.io/pod-cidr=${addresses.pods}`)
    await start('kube-router', [kubeconfig('admin'), ...policyArguments], { port: 20244 })
    await kubectl('wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=2m')
  })
  await step(progress, 'Starting the DNS', async () => {
    const manifest = await readFile(join(import.meta.dirname, 'system.yaml'), 'utf8')
    const file = join(folder, 'system.yaml')
    await writeFile(file, manifest + (await localVolumes(folder)))
    await kubectl('apply', '-f', file)
    await kubectl('-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=2m')
  })
  return admin
}

interface Readiness {
  ready?: () => Promise<unknown>
  port?: number
  host?: string
}

function starter({ folder, programs, env }: ClusterSetup) {
  return async (
    name: ProgramName | 'containerd',
    args: string[],
    { ready, port = 0, host }: Readiness,
  ): Promise<void> => {
    const command = name === 'containerd' ? name : programs[name]
    const isReady = () =>
      ready
        ? ready().then(
            () => true,
            () => false,
          )
        : isListening(port, host)
    await createChild({
      name,
      command,
      args,
      env,
      port,
      logDir: join(folder, 'logs'),
      ready: isReady,
    }).start()
  }
}

/** Writes the certificate with which the API server signs in at other servers of the cluster. */
async function writeFrontProxy(folder: string): Promise<void> {
  const file = (ending: string) => join(folder, `front-proxy.${ending}`)
  const certificate = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=front-proxy']
  await run('openssl', ['req', ...certificate, '-keyout', file('key'), '-out', file('crt')])
}

/** Writes a token for each user, which the API server reads, and returns the tokens. */
async function writeTokens(folder: string): Promise<Record<User, string>> {
  const names = Object.keys(users) as User[]
  const tokens = Object.fromEntries(names.map((name) => [name, randomBytes(24).toString('hex')])) as Record<
    User,
    string
  >
  const lines = names.map(
    (name) => `${tokens[name]},${users[name].user},${users[name].user},${users[name].group}`,
  )
  await writeFile(join(folder, 'tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 })
  return tokens
}

/** Returns the manifests of twelve volumes in folders of this machine, and creates the folders. */
async function localVolumes(folder: string): Promise<string> {
  const documents: string[] = []
  for (let number = 1; number <= 12; number += 1) {
    const path = join(folder, 'volumes', String(number))
    await mkdir(path)
    documents.push(`---
apiVersion: v1
kind: PersistentVolume
metadata: { name: volume-${number} }
spec:
  capacity: { storage: 100Gi }
  accessModes: [ReadWriteOnce]
  storageClassName: local
  persistentVolumeReclaimPolicy: Retain
  local: { path: ${path} }
  nodeAffinity:
    required:
      nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [${nodeName}] }] }]
`)
  }
  return documents.join('')
}
