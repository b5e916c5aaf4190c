import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChild } from '@sumlock/dev/processes/child'
import { freePorts } from '@sumlock/dev/processes/ports'
import { run } from '@sumlock/dev/processes/run'
import type { ControlPlanePrograms } from './go-programs.ts'

export interface ControlPlane {
  /** Runs kubectl as the administrator; rejects with the server's reason. */
  kubectl(...args: string[]): Promise<string>
  stop(): Promise<void>
}

/** Starts etcd and an API server on loopback ports, with temporary data and one administrator. */
export async function startControlPlane(programs: ControlPlanePrograms): Promise<ControlPlane> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-control-plane-'))
  const [clientPort, peerPort, apiPort] = (await freePorts(3)) as [number, number, number]
  const etcdUrl = `http://127.0.0.1:${clientPort}`
  const { tokenFile, accountKey, kubeconfig } = await writeCredentials(folder, apiPort)
  const kubectl = (...args: string[]) =>
    run(programs.kubectl, [...args, `--cache-dir=${join(folder, 'kubectl')}`], {
      env: { KUBECONFIG: kubeconfig },
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
      `--service-account-key-file=${accountKey}`,
      `--service-account-signing-key-file=${accountKey}`,
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
    return { kubectl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Writes the token and keys of the API server, and a kubeconfig that trusts the certificate it will create. */
async function writeCredentials(folder: string, apiPort: number) {
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const token = randomBytes(24).toString('hex')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const cluster = {
    server: `https://127.0.0.1:${apiPort}`,
    'certificate-authority': join(folder, 'apiserver.crt'),
  }
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'dry-run', cluster }],
    users: [{ name: 'administrator', user: { token } }],
    contexts: [{ name: 'dry-run', context: { cluster: 'dry-run', user: 'administrator' } }],
    'current-context': 'dry-run',
  }
  return {
    tokenFile: await write('tokens.csv', `${token},administrator,administrator,system:masters\n`),
    accountKey: await write(
      'service-accounts.pem',
      privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    ),
    kubeconfig: await write('kubeconfig.json', JSON.stringify(kubeconfig)),
  }
}
