import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { answersOk } from '../processes/ports.ts'

/** A mail server that keeps every mail; SMS arrive as mail to `<phone>@sms.local`. */
export function createInbox(options: { dataDir: string; smtpPort: number; webPort: number }): Child {
  return createChild({
    name: 'inbox',
    command: process.execPath,
    args: [
      join(repoRoot, 'node_modules/maildev/bin/maildev'),
      `--smtp=${options.smtpPort}`,
      `--web=${options.webPort}`,
      '--ip=127.0.0.1',
      '--silent',
      `--mail-directory=${join(options.dataDir, 'inbox')}`,
    ],
    logDir: join(options.dataDir, 'logs'),
    ready: () => answersOk(`http://127.0.0.1:${options.webPort}/email`),
  })
}
