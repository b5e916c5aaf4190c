export const isOwnPossible = (): boolean => process.platform === 'linux' && process.getuid?.() === 0

/** A runtime or a kubelet creates folders in these, wherever its own data are. */
export const systemFolders = ['etc', 'opt', 'run', 'usr', 'var']

/** Puts a layer in memory on each system folder, and runs the command that follows. */
const onLayers = `set -e
mount -t tmpfs tmpfs /mnt
for name in ${systemFolders.join(' ')}; do
  mkdir -p /mnt/$name/changes /mnt/$name/work
  mount -t overlay overlay -o lowerdir=/$name,upperdir=/mnt/$name/changes,workdir=/mnt/$name/work /$name
done
exec "$@"`

/**
 * Returns the command that runs a program in namespaces of its own. Its processes, its mounts and what it writes to
 * system folders disappear together with the first process, however that ends. With an own network, nothing inside
 * reaches another machine, and links and firewall rules disappear, too.
 */
export function inSandbox(command: readonly string[], { ownNetwork }: { ownNetwork: boolean }): string[] {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const own = ['unshare', ...namespaces, ...(ownNetwork ? ['--net'] : [])]
  return [...own, 'tini', '-s', '--', 'sh', '-c', onLayers, 'sh', ...command]
}
