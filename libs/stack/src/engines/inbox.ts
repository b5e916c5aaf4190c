import { join } from 'node:path'
import { createChild } from '../child.ts'
import type { Child } from '../child.ts'
import { repoRoot } from '../config.ts'

/** A mail server that keeps everything it is given; SMS arrive as mail to `<phone>@sms.local`. */
export function createInbox(options: { logDir: string; smtpPort: number; webPort: number }): Child {
  return createChild({
    name: 'inbox',
    command: process.execPath,
    args: [
      join(repoRoot, 'node_modules/maildev/bin/maildev'),
      ...[
        '--smtp',
        String(options.smtpPort),
        '--web',
        String(options.webPort),
        '--ip',
        '127.0.0.1',
        '--silent',
      ],
    ],
    logFile: join(options.logDir, 'inbox.log'),
    ready: async () => (await fetch(`http://127.0.0.1:${options.webPort}/email`)).ok,
  })
}
