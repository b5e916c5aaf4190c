export const isOwnPossible = (): boolean => process.platform === 'linux' && process.getuid?.() === 0

/**
 * Returns the command that runs a program in namespaces of its own. Its processes and mounts disappear together with
 * the first process, however that ends. With an own network, nothing inside reaches another machine, and links and
 * firewall rules disappear, too.
 */
export function inSandbox(command: readonly string[], { ownNetwork }: { ownNetwork: boolean }): string[] {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  return ['unshare', ...namespaces, ...(ownNetwork ? ['--net'] : []), 'tini', '-s', '--', ...command]
}
