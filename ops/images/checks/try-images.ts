import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { startEngines } from '@sumlock/dev/engines/engines'
import { createS3 } from '@sumlock/dev/engines/s3'
import { freePorts, isListening } from '@sumlock/dev/processes/ports'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { databaseUrlsByName, provision } from '@sumlock/deployment/provision'
import { serviceEnvironment, serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan } from '@sumlock/deployment/service-environment'
import type { Images } from './build-images.ts'
import {
  removeContainers,
  restartContainer,
  runContainer,
  startContainer,
  stopContainer,
} from './containers.ts'
import { checkPage, door, readAgain, sendOne, webPort } from './through-nginx.ts'
import { tryBackup } from './try-backup.ts'

const withDatabase = ['auth', 'messaging', 'billing', 'notify']
const containerOf = (name: string) => `sumlock-try-${name}`
const containers = [...serviceNames, 'web', 'migrate', 'bucket', 'backup'].map(containerOf)

/** Runs every image against native engines: one message from end to end through nginx, then saved, lost and restored. */
export async function tryImages(images: Images, progress: Progress): Promise<void> {
  // What a killed run left has these names, and the port.
  await removeContainers(containers)
  if (await isListening(webPort))
    throw new Error(
      `Port ${webPort} is taken, and the web image listens there: stop what uses it and try again.`,
    )
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-images-'))
  const engines = await startEngines({ dataDir, progress })
  let store: Store | undefined
  try {
    const { addresses, secrets } = engines
    store = await step(progress, 'Starting an S3 store', () =>
      startStore(dataDir, secrets.s3SecretKey, progress),
    )
    const [...free] = await freePorts(2 * serviceNames.length)
    const take = () => free.pop() as number
    const ports = Object.fromEntries(
      serviceNames.map((name) => [name, [{ public: take(), internal: take() }]]),
    ) as PortPlan
    const namespace = 'tryimages'
    await provision(addresses, secrets, namespace)
    const plan = {
      addresses,
      secrets,
      namespace,
      ports,
      publicOrigins: [door],
      webRoot: '',
      logLevel: 'warn',
    }
    const partOf = (name: (typeof serviceNames)[number]) => ({
      name: containerOf(name),
      image: images.of(name),
      environment: {
        ...serviceEnvironment(name, 0, { ...plan, mode: 'local' }),
        HOST: '127.0.0.1',
        TRUSTED_HOPS: '1',
      },
    })
    await step(progress, 'Migrating with the service images', async () => {
      for (const name of serviceNames.filter((service) => withDatabase.includes(service)))
        await runContainer({
          ...partOf(name),
          name: containerOf('migrate'),
          command: ['src/commands/migrate.ts'],
        })
    })
    await step(progress, 'Starting six services in containers', () =>
      Promise.all(serviceNames.map((name) => startContainer(partOf(name)))),
    )
    await step(progress, 'Starting nginx in a container', async () => {
      const doors = join(dataDir, 'doors.conf')
      await writeFile(doors, await doorsTo(ports))
      const mounts = [`${doors}:/etc/nginx/doors/try.conf`]
      await startContainer({ name: containerOf('web'), image: images.of('web'), mounts })
    })
    await step(progress, 'Looking at the page and its headers', checkPage)
    const sent = await step(progress, 'Sending a message through nginx', () => sendOne('through nginx'))
    await tryBackup({
      ...{ images, store, progress, backupKey: secrets.backupKey },
      databaseUrls: databaseUrlsByName(addresses, secrets, namespace),
      stopServices: async () =>
        void (await Promise.all(serviceNames.map((name) => stopContainer(containerOf(name))))),
    })
    await step(progress, 'Starting the six services again', () =>
      Promise.all(serviceNames.map((name) => restartContainer(containerOf(name)))),
    )
    await step(progress, 'Reading the message again', () => readAgain(sent))
  } finally {
    await removeContainers(containers)
    await store?.stop()
    await engines.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Store = Awaited<ReturnType<typeof startStore>>

async function startStore(dataDir: string, secretAccessKey: string, progress: Progress) {
  const [port] = (await freePorts(1)) as [number]
  const keys = { accessKeyId: 'sumlock', secretAccessKey }
  const server = await createS3({ dataDir, logDir: dataDir, port, ...keys, progress })
  await server.start()
  return { endpoint: server.endpoint, ...keys, stop: () => server.stop() }
}

async function doorsTo(ports: PortPlan): Promise<string> {
  const text = await readFile(join(repoRoot, 'ops/images/nginx/compose-doors.conf'), 'utf8')
  return text
    .replace(/^resolver .*$/m, '')
    .replace('gateway:8080', `127.0.0.1:${ports.gateway[0]?.public}`)
    .replace('realtime:8080', `127.0.0.1:${ports.realtime[0]?.public}`)
}
