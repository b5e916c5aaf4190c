import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { serviceNames } from '@sumlock/deployment/service-environment'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { repoRoot } from '@sumlock/dev/config'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { securityHeaders } from '@sumlock/service-kit/security-headers'
import { befriend, retryUnavailable, signInAgain, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'

/** The port differs from the usual one, so that it is free while the product runs. */
const origin = 'http://127.0.0.1:8089'

/** The services of the profile `engines`. */
const engineNames = ['mongo', 'kafka', 'redis', 's3', 'inbox'].map((name) => `engine-${name}`)

/**
 * Builds every image and runs docker-compose.yml as a project of its own. A message is sent through nginx, a backup
 * is made, and a second message is sent. After the restore, only the first message may be there. Then the profiles `demo` and `engines` are started. Rejects at the first
 * step that fails. `docker` is the environment of another Docker than the
 * machine's, which has the images already.
 */
export async function tryImages(progress: Progress, docker?: Record<string, string>): Promise<void> {
  const env = { ...docker, PORT: new URL(origin).port, PUBLIC_ORIGINS: origin }
  const compose = (...args: string[]) =>
    run('docker', ['compose', '--project-name', 'sumlock-try', ...args], { cwd: repoRoot, env })
  const gatewayAnswers = async () => {
    await waitUntil(`${origin} to answer`, async () => (await fetch(`${origin}/api/csrf-token`)).ok, {
      timeoutMs: 120_000,
      everyMs: 500,
    })
  }
  try {
    if (docker === undefined)
      await step(progress, 'Building the images', () => compose('--profile', 'backup', 'build'))
    await step(progress, 'Starting engines, jobs and services', () => compose('up', '--detach'))
    await step(progress, 'Waiting for the gateway', gatewayAnswers)
    await step(progress, 'Looking at the page and its headers', checkPage)
    const conversation = await step(progress, 'Sending a message', sendMessages)
    await step(progress, 'Making a backup', () => compose('run', '--rm', 'backup'))
    await conversation.answer('after the backup')
    await step(progress, 'Stopping the services', () => compose('stop', ...serviceNames))
    await step(progress, 'Restoring the backup', () =>
      compose('run', '--rm', 'backup', 'src/commands/restore.ts', '--replace'),
    )
    await step(progress, 'Starting the services', () => compose('up', '--detach'))
    await step(progress, 'Waiting for the gateway', gatewayAnswers)
    await step(progress, 'Reading the message', async () => {
      // A restore ends all sessions.
      await retryUnavailable(() => signInAgain(conversation.reader))
      await conversation.readFirst()
    })
    await step(progress, 'Creating the demo accounts (profile demo)', async () => {
      await compose('--profile', 'demo', 'up', '--detach')
      // Fails when the job fails.
      await compose('--profile', 'demo', 'wait', 'seed')
    })
    await step(progress, 'Starting the engines for npm start (profile engines)', () =>
      compose('--profile', 'engines', 'up', '--detach', '--wait', ...engineNames),
    )
  } catch (error) {
    progress(await compose('logs', '--no-color', '--tail=20').catch(String))
    throw error
  } finally {
    const all = ['backup', 'demo', 'engines'].flatMap((profile) => ['--profile', profile])
    await compose(...all, 'down', '--volumes')
  }
}

/** Checks that nginx serves the page with the gateway's headers, and forwards API requests to the gateway. */
async function checkPage(): Promise<void> {
  for (const path of ['/', '/settings', '/index.html', '/manifest.webmanifest', '/none.js', '/.sources']) {
    const { headers } = await fetch(origin + path)
    for (const [name, value] of Object.entries(securityHeaders({ secure: false })))
      if (headers.get(name) !== value)
        throw new Error(`${path} is answered without the gateway's header ${name}.`)
  }
  const page = await fetch(`${origin}/messaging`)
  const html = await page.text()
  if (page.headers.get('cache-control') !== 'no-store' || !html.includes('<title>Calculator</title>'))
    throw new Error(`/messaging is not the calculator's page: ${html.slice(0, 200)}`)
  const { status } = await fetch(`${origin}/api//user`)
  if (status !== 400)
    throw new Error(`The gateway must refuse a path that is not canonical; the answer was ${status}.`)
}

/** Registers two people. One sends a message, and the other receives it over the socket and by listing. */
async function sendMessages() {
  const sender = await unlockedPerson({ gatewayUrl: origin })
  const reader = await unlockedPerson({ gatewayUrl: origin })
  const { id } = await befriend(sender, reader)
  const send = ({ client }: Person, content: string) =>
    client.ok(sendMessage, { body: { conversationId: id, content } })
  const readFirst = async () => {
    const messages = await reader.client.ok(listMessages, { params: { id } })
    const contents = JSON.stringify(messages.map(({ content }) => content))
    if (contents !== '["before the backup"]') throw new Error(`The conversation holds ${contents}.`)
  }
  const live = connect(reader)
  try {
    await nextState(live, ({ connected }) => connected)
    const received = nextEvent(live, (event) => event.type === 'new_message')
    await send(sender, 'before the backup')
    await received
  } finally {
    live.close()
  }
  await readFirst()
  // A free person may send one message a day, so the other one answers.
  return { reader, answer: (content: string) => send(reader, content), readFirst }
}
