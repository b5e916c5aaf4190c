/**
 * Returns the command that runs a program in namespaces of its own. Its processes and mounts disappear together with
 * the first process, however that ends. With an own network, nothing inside reaches another machine, and links and
 * firewall rules disappear, too. Needs Linux and root.
 */
export function inSandbox(command: readonly string[], { ownNetwork }: { ownNetwork: boolean }): string[] {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  return ['unshare', ...namespaces, ...(ownNetwork ? ['--net'] : []), 'tini', '-s', '--', ...command]
}
