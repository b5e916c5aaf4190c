import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import { run } from '../processes/run.ts'
import type { ServiceProcess } from './services.ts'

const script = join(repoRoot, 'services/auth/src/commands/set-admin.ts')

/** Makes a user an administrator with auth's own command, as an operator does. */
export async function makeAdmin(
  stack: { service(name: 'auth'): Pick<ServiceProcess, 'environment'> },
  username: string,
): Promise<void> {
  const { environment } = stack.service('auth')
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', script, username], {
    env: environment,
  })
}
