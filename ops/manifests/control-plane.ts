import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChild } from '@sumlock/dev/processes/child'
import { freePorts } from '@sumlock/dev/processes/ports'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { etcdBinary, kubectlBinary, kubernetesBinary } from './go-programs.ts'

export interface ControlPlane {
  /** `stop` removes this temporary folder. */
  folder: string
  /** Runs kubectl as the administrator. Rejects with the server's reason. */
  kubectl(...args: string[]): Promise<string>
  stop(): Promise<void>
}

/** Starts etcd and an API server on loopback ports, with temporary data and one administrator. */
export async function startControlPlane(progress: Progress): Promise<ControlPlane> {
  const programs = {
    etcd: await etcdBinary(progress),
    apiServer: await kubernetesBinary('kube-apiserver', progress),
    kubectl: await kubectlBinary(progress),
  }
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-control-plane-'))
  const [clientPort, peerPort, apiPort] = (await freePorts(3)) as [number, number, number]
  const etcdUrl = `http://127.0.0.1:${clientPort}`
  const token = randomBytes(24).toString('hex')
  const tokenFile = join(folder, 'tokens.csv')
  await writeFile(tokenFile, `${token},administrator,administrator,system:masters\n`, { mode: 0o600 })
  // The API server writes this pair when it starts.
  const certificate = join(folder, 'apiserver.crt')
  const key = join(folder, 'apiserver.key')
  const connection = [`--server=https://127.0.0.1:${apiPort}`, `--certificate-authority=${certificate}`]
  const kubectl = (...args: string[]) =>
    run(programs.kubectl, [...connection, `--token=${token}`, `--cache-dir=${folder}/kubectl`, ...args], {
      env: { KUBECONFIG: join(folder, 'none') },
    })
  const store = createChild({
    name: 'etcd',
    command: programs.etcd,
    args: [
      `--data-dir=${join(folder, 'etcd')}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    ],
    logDir: folder,
    port: clientPort,
  })
  const server = createChild({
    name: 'kube-apiserver',
    command: programs.apiServer,
    args: [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${apiPort}`,
      `--cert-dir=${folder}`,
      `--token-auth-file=${tokenFile}`,
      '--authorization-mode=RBAC',
      '--anonymous-auth=false',
      '--service-account-issuer=https://sumlock.invalid',
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--service-cluster-ip-range=10.96.0.0/16',
    ],
    logDir: folder,
    port: apiPort,
    ready: () =>
      kubectl('get', '--raw=/readyz', '--request-timeout=5s').then(
        () => true,
        () => false,
      ),
  })
  const stop = async () => {
    await server.stop()
    await store.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await store.start()
    await server.start()
    return { folder, kubectl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
