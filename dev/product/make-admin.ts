import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { childEnvironment, repoRoot } from '../config.ts'
import type { ServiceProcess } from './services.ts'

/** Makes a user an administrator with auth's own command, as an operator does. */
export async function makeAdmin(
  stack: { service(name: 'auth'): Pick<ServiceProcess, 'environment'> },
  username: string,
): Promise<void> {
  const script = join(repoRoot, 'services/auth/src/commands/set-admin.ts')
  const env = { ...childEnvironment(), ...stack.service('auth').environment }
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', script, username], {
    env,
  })
}
