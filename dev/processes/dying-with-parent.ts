import { spawnSync } from 'node:child_process'

type Command = readonly [string, ...string[]]

let setprivWorks: boolean | undefined

/**
 * Wraps a command so that the kernel ends it when its parent goes, by whatever way: SIGKILL runs no exit handler, and
 * jest gives none to its tests. Needs util-linux's setpriv (Debian, Ubuntu, Fedora …); elsewhere the command stays as it is.
 */
export function dyingWithParent(command: Command): Command {
  setprivWorks ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status === 0
  return setprivWorks ? ['setpriv', '--pdeathsig', 'KILL', ...command] : command
}
