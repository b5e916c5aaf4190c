import { spawnSync } from 'node:child_process'

type Command = readonly [string, ...string[]]

let setprivWorks: boolean | undefined

/**
 * Wraps a command so that the kernel kills it when its parent ends: SIGKILL runs no exit handler, and jest gives its
 * tests none. Needs util-linux's setpriv; on systems without it the command stays as it is.
 */
export function dyingWithParent(command: Command): Command {
  setprivWorks ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status === 0
  return setprivWorks ? ['setpriv', '--pdeathsig', 'KILL', ...command] : command
}
