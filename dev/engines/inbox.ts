import { join } from 'node:path'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { repoRoot } from '../config.ts'

export interface InboxOptions {
  dataDir: string
  logDir: string
  smtpPort: number
  webPort: number
}

/** A mail server that keeps every mail; SMS arrive as mail to `<phone>@sms.local`. */
export function createInbox(options: InboxOptions): Child {
  const webUrl = `http://127.0.0.1:${options.webPort}/email`
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
    logFile: join(options.logDir, 'inbox.log'),
    ready: async () => (await fetch(webUrl, { signal: AbortSignal.timeout(2000) })).ok,
  })
}
