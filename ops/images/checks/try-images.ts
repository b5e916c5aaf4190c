import { repoRoot } from '@sumlock/dev/config'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { serviceNames } from '@sumlock/deployment/service-environment'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { checkPage, origin, readAgain, sendMessages } from './through-nginx.ts'

/**
 * Builds every image and runs docker-compose.yml as a project of its own: a message goes through nginx, a backup is made,
 * a second message is lost by the restore, and the first is read again. Rejects at the first step that fails.
 */
export async function tryImages(progress: Progress): Promise<void> {
  const env = { PORT: new URL(origin).port, PUBLIC_ORIGINS: origin }
  const compose = (...args: string[]) =>
    run('docker', ['compose', '--project-name', 'sumlock-try', ...args], { cwd: repoRoot, env })
  const answers = () =>
    waitUntil(
      `${origin} to answer`,
      async () => {
        const response = await fetch(`${origin}/api/csrf-token`).catch(() => undefined)
        return response?.ok === true
      },
      { timeoutMs: 120_000, everyMs: 500 },
    )
  try {
    await step(progress, 'Building the images', () => compose('--profile', 'backup', 'build'))
    await step(progress, 'Starting engines, jobs and services', () => compose('up', '--detach'))
    await step(progress, 'Waiting for the gateway', answers)
    await step(progress, 'Looking at the page and its headers', checkPage)
    const conversation = await step(progress, 'Sending a message', () => sendMessages('before the backup'))
    await step(progress, 'Making a backup', () => compose('run', '--rm', 'backup'))
    await conversation.send('after the backup')
    await step(progress, 'Stopping the services', () => compose('stop', ...serviceNames))
    await step(progress, 'Restoring the backup', () =>
      compose('run', '--rm', 'backup', 'src/commands/restore.ts', '--replace'),
    )
    await step(progress, 'Starting the services', () => compose('up', '--detach'))
    await step(progress, 'Waiting for the gateway', answers)
    await step(progress, 'Reading the message', () => readAgain(conversation, ['before the backup']))
  } finally {
    await compose('--profile', 'backup', 'down', '--volumes')
  }
}
