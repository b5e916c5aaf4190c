import { mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { engineCache } from '@sumlock/dev/config'
import { cached } from '@sumlock/dev/engines/fetch-engine'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'

/** Docker, a container runtime, its network plugins and the tools with which they change a firewall. */
const packages = [
  ...['docker.io', 'containerd', 'runc', 'tini', 'containernetworking-plugins'],
  ...['iptables', 'libip4tc2', 'libxtables12', 'libmnl0', 'ipset', 'conntrack'],
  ...['iproute2', 'socat', 'ethtool', 'busybox-static', 'debootstrap', 'openssl'],
]

/** The folder in which everything of a try is cached, beside the engines. */
export const tryCache = join(dirname(engineCache), 'cluster')

/** The environment in which the unpacked programs find each other and their libraries. */
export interface DebianPrograms {
  root: string
  env: Record<string, string>
}

/**
 * Unpacks Debian's programs into the cache; nothing is installed. apt chooses the versions of the release that this
 * machine runs, with all libraries that the machine lacks.
 */
export async function debianPrograms(progress: Progress): Promise<DebianPrograms> {
  await mkdir(tryCache, { recursive: true })
  const root = await cached(
    {
      name: 'debian-programs',
      title: 'Fetching Docker and container tools of Debian',
      bytes: 1e9,
      progress,
      cache: tryCache,
    },
    async (part) => {
      const archives = join(part, 'archives')
      await mkdir(join(archives, 'partial'), { recursive: true })
      await fetchArchives(part, archives)
      for (const archive of await readdir(archives))
        if (archive.endsWith('.deb')) await run('dpkg', ['--extract', join(archives, archive), part])
      await rm(archives, { recursive: true })
      await linkFirewall(join(part, 'usr/sbin'))
    },
  )
  const folders = (...names: string[]) => names.map((name) => join(root, name)).join(':')
  return {
    root,
    env: {
      PATH: `${folders('usr/sbin', 'usr/bin', 'sbin', 'bin')}:${process.env['PATH'] ?? ''}`,
      LD_LIBRARY_PATH: folders('usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'),
      XTABLES_LIBDIR: join(root, 'usr/lib/x86_64-linux-gnu/xtables'),
      DEBOOTSTRAP_DIR: join(root, 'usr/share/debootstrap'),
    },
  }
}

/** An installation makes these links by scripts, which an unpacked package does not run. */
async function linkFirewall(folder: string): Promise<void> {
  for (const family of ['iptables', 'ip6tables'])
    for (const action of ['', '-save', '-restore'])
      await symlink(`${family}-nft${action}`, join(folder, `${family}${action}`))
}

/** Downloads the packages and what they depend on, with lists of packages that no one else uses. */
async function fetchArchives(folder: string, archives: string): Promise<void> {
  const lists = join(folder, 'lists')
  await mkdir(join(lists, 'partial'), { recursive: true })
  const options = [`Dir::State::Lists=${lists}`, `Dir::Cache=${folder}`, `Dir::Cache::Archives=${archives}`]
  const apt = (...args: string[]) =>
    run('apt-get', ['--quiet', ...options.flatMap((option) => ['--option', option]), ...args], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    })
  await apt('update')
  await apt('--yes', '--no-install-recommends', '--download-only', '--reinstall', 'install', ...packages)
  await rm(lists, { recursive: true })
}
