import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { securityHeaders } from '@sumlock/service-kit/security-headers'
import { repoRoot } from '@sumlock/stack/config'
import { startEngines } from '@sumlock/stack/engines'
import { freePorts, isListening } from '@sumlock/stack/ports'
import { step } from '@sumlock/stack/progress'
import type { Progress } from '@sumlock/stack/progress'
import { databaseUrlsByName, provision } from '@sumlock/stack/provision'
import { serviceEnvironment, serviceNames } from '@sumlock/stack/service-environment'
import type { PortPlan } from '@sumlock/stack/service-environment'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'
import type { Images } from './build-images.ts'
import { removeContainers, removeVolume, runContainer, startContainer } from './containers.ts'

const webPort = 8080
const door = `http://127.0.0.1:${webPort}`
const withDatabase = ['auth', 'messaging', 'billing', 'notify']
const backupVolume = 'sumlock-try-backups'

/** Runs every image against native engines, sends one message from end to end through nginx, and saves it. */
export async function tryImages(images: Images, progress: Progress): Promise<void> {
  if (await isListening(webPort))
    throw new Error(
      `Port ${webPort} is taken, and the web image listens there: stop what uses it and try again.`,
    )
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-images-'))
  const containers = [...serviceNames, 'web'].map((name) => `sumlock-try-${name}`)
  const engines = await startEngines({ dataDir, progress })
  try {
    const { addresses, secrets } = engines
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
      name: `sumlock-try-${name}`,
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
          name: `sumlock-try-migrate-${name}`,
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
      await startContainer({ name: 'sumlock-try-web', image: images.of('web'), mounts })
    })
    await step(progress, 'Looking at the page and its headers', checkPage)
    await step(progress, 'Sending a message through nginx', sendOne)
    await step(progress, 'Saving everything with the backup image', () =>
      runContainer({
        name: 'sumlock-try-backup',
        image: images.of('backup'),
        environment: {
          ...{ BACKUP_FOLDER: '/backups', BACKUP_KEY: secrets.backupKey },
          ...databaseUrlsByName(addresses, secrets, namespace),
        },
        volumes: [`${backupVolume}:/backups`],
        command: ['src/commands/backup.ts'],
      }),
    )
  } finally {
    await removeContainers([...containers, 'sumlock-try-backup'])
    await removeVolume(backupVolume)
    await engines.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function doorsTo(ports: PortPlan): Promise<string> {
  const text = await readFile(join(repoRoot, 'docker/nginx/compose-doors.conf'), 'utf8')
  return text
    .replace(/^resolver .*$/m, '')
    .replace('gateway:8080', `127.0.0.1:${ports.gateway[0]?.public}`)
    .replace('realtime:8080', `127.0.0.1:${ports.realtime[0]?.public}`)
}

async function checkPage(): Promise<void> {
  for (const path of ['/', '/settings', '/index.html', '/manifest.webmanifest', '/none.js', '/.sources']) {
    const answer = await fetch(door + path)
    for (const [name, value] of Object.entries(securityHeaders({ secure: false })))
      if (answer.headers.get(name) !== value)
        throw new Error(`${path} is answered without the gateway's ${name}.`)
  }
  const page = await fetch(`${door}/messaging`)
  const html = await page.text()
  if (page.headers.get('cache-control') !== 'no-store' || !html.includes('<title>Calculator</title>'))
    throw new Error(`/messaging is not the calculator's page: ${html.slice(0, 200)}`)
  const { status } = await fetch(`${door}/api//user`)
  if (status !== 400)
    throw new Error(`A path that is not canonical was answered with ${status} and not by the gateway.`)
}

async function sendOne(): Promise<void> {
  const stack = { gatewayUrl: door }
  const [ada, ben] = [await unlockedPerson(stack), await unlockedPerson(stack)]
  const { id: conversationId } = await befriend(ada, ben)
  const live = connect(ben)
  try {
    await nextState(live, ({ connected }) => connected)
    const heard = nextEvent(live, (event) => event.type === 'new_message')
    await ada.client.ok(sendMessage, { body: { conversationId, content: 'through nginx' } })
    await heard
    const [message] = await ben.client.ok(listMessages, { params: { id: conversationId } })
    if (message?.content !== 'through nginx') throw new Error('The message did not arrive as it was sent.')
  } finally {
    live.close()
  }
}
