import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChild } from '@sumlock/dev/processes/child'
import { freePorts, isListening } from '@sumlock/dev/processes/ports'
import type { Binaries } from './build.ts'

export interface ControlPlane {
  url: string
  /** Certificate of the server, which it made for itself. */
  ca: string
  token: string
  stop(): Promise<void>
}

/** etcd and an API server on loopback, with data that go away with them and one administrator, by token. */
export async function startControlPlane({
  apiServer,
  etcd,
}: Pick<Binaries, 'apiServer' | 'etcd'>): Promise<ControlPlane> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-control-plane-'))
  const [clientPort, peerPort, apiPort] = (await freePorts(3)) as [number, number, number]
  const etcdUrl = `http://127.0.0.1:${clientPort}`
  const token = randomBytes(24).toString('hex')
  const tokenFile = join(folder, 'tokens.csv')
  await writeFile(tokenFile, `${token},administrator,administrator,system:masters\n`, { mode: 0o600 })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const accountKey = join(folder, 'service-accounts.pem')
  await writeFile(accountKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })

  const store = createChild({
    name: 'etcd',
    command: etcd,
    args: [
      ...[`--data-dir=${join(folder, 'etcd')}`, '--unsafe-no-fsync', '--log-level=warn'],
      ...[`--listen-client-urls=${etcdUrl}`, `--advertise-client-urls=${etcdUrl}`],
      ...[`--listen-peer-urls=http://127.0.0.1:${peerPort}`],
    ],
    logFile: join(folder, 'etcd.log'),
    ready: () => isListening(clientPort),
  })
  const url = `https://127.0.0.1:${apiPort}`
  const certificate = () => readFile(join(folder, 'certificates/apiserver.crt'), 'utf8')
  const server = createChild({
    name: 'kube-apiserver',
    command: apiServer,
    args: [
      ...[`--etcd-servers=${etcdUrl}`, '--bind-address=127.0.0.1', `--secure-port=${apiPort}`],
      ...['--advertise-address=127.0.0.1', `--cert-dir=${join(folder, 'certificates')}`],
      ...[`--token-auth-file=${tokenFile}`, '--authorization-mode=RBAC', '--anonymous-auth=false'],
      ...['--service-account-issuer=https://sumlock.invalid', `--service-account-key-file=${accountKey}`],
      ...[`--service-account-signing-key-file=${accountKey}`, '--service-cluster-ip-range=10.96.0.0/16'],
      ...['--enable-admission-plugins=PodSecurity,ResourceQuota,LimitRanger'],
    ],
    logFile: join(folder, 'kube-apiserver.log'),
    ready: async () => isReady(url, await certificate(), token),
    readyTimeoutMs: 180_000,
  })
  const stop = async () => {
    await server.stop()
    await store.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await store.start()
    await server.start()
    return { url, ca: await certificate(), token, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function isReady(url: string, ca: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/readyz`, { ca, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}
