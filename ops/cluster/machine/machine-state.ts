import { readFile, readdir, writeFile } from 'node:fs/promises'
import { run } from '@sumlock/dev/processes/run'
import { systemFolders } from './sandbox.ts'

/** What a try may not change on the machine: each list by its name. */
export type MachineState = Readonly<Record<string, readonly string[]>>

/** A kubelet sets all but the last one. */
const sysctls = [
  'vm.overcommit_memory',
  'vm.panic_on_oom',
  'kernel.panic',
  'kernel.panic_on_oops',
  'kernel.keys.root_maxkeys',
  'kernel.keys.root_maxbytes',
  'net.ipv4.ip_forward',
]
const fileOf = (sysctl: string) => `/proc/sys/${sysctl.replaceAll('.', '/')}`

/** These programs run only while a cluster or a Docker daemon does. */
const watchedPrograms = /^(dockerd|containerd|docker-proxy|runc|etcd|kube|coredns)/

const lines = (text: string): string[] => text.trim().split('\n')
const print = (env: Record<string, string>, command: string, ...args: string[]): Promise<string[]> =>
  run(command, args, { env }).then(lines, (error: unknown) => [`not readable: ${(error as Error).message}`])

/** Reads what `npm run k8s:try` compares. The firewall is read with the programs on PATH in `env`. */
export async function readMachine(env: Record<string, string>): Promise<MachineState> {
  // Counters and comments with times would differ in each reading.
  const firewall = async (command: string) =>
    (await print(env, command))
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.replace(/\[\d+:\d+\]/, ''))
  return {
    processes: await runningPrograms(),
    mounts: lines(await readFile('/proc/self/mounts', 'utf8')),
    links: (await print(env, 'ip', '-oneline', 'link')).map((line) => line.split(':')[1]?.trim() ?? ''),
    addresses: await print(env, 'ip', '-oneline', 'address', 'show', 'scope', 'global'),
    routes: await print(env, 'ip', 'route'),
    'network namespaces': await print(env, 'ip', 'netns'),
    firewall: [
      ...(await firewall('iptables-nft-save')),
      ...(await firewall('iptables-legacy-save')),
      ...(await firewall('ip6tables-nft-save')),
    ],
    sysctls: await Promise.all(
      sysctls.map(async (name) => `${name} = ${(await readFile(fileOf(name), 'utf8')).trim()}`),
    ),
    'control groups': await controlGroups(),
    'system folders': await namesInSystemFolders(),
    'images of the machine’s Docker': await print({}, 'docker', 'image', 'ls', '--quiet', '--no-trunc'),
  }
}

async function runningPrograms(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const names = await Promise.all(ids.map((id) => readFile(`/proc/${id}/comm`, 'utf8').catch(() => '')))
  return names.map((name) => name.trim()).filter((name) => watchedPrograms.test(name))
}

async function namesInSystemFolders(): Promise<string[]> {
  const folders = [...systemFolders.map((name) => `/${name}`), '/usr/libexec', '/var/lib', '/var/log']
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => `${folder}/${name}`)),
  )
  return names.flat()
}

async function controlGroups(): Promise<string[]> {
  const hierarchies = await readdir('/sys/fs/cgroup').catch(() => [])
  const groups = await Promise.all(
    hierarchies.map(async (name) =>
      (await readdir(`/sys/fs/cgroup/${name}`, { withFileTypes: true }).catch(() => []))
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${name}/${entry.name}`),
    ),
  )
  return groups.flat()
}

/** Returns a sentence for each list that differs; none when the machine is as it was. */
export function differences(before: MachineState, after: MachineState): string[] {
  return Object.keys(before).flatMap((name) => {
    const [was, is] = [before[name] ?? [], after[name] ?? []]
    const gone = surplus(was, is)
    const added = surplus(is, was)
    if (gone.length + added.length === 0) return []
    const changes = [...gone.map((line) => `    - ${line}`), ...added.map((line) => `    + ${line}`)]
    return [[`The ${name} changed:`, ...changes].join('\n')]
  })
}

/** Returns the entries that `list` has more often than `other`. */
function surplus(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return list.filter((entry) => {
    const index = left.indexOf(entry)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

/** Gives the kernel's settings, which a kubelet changes, their former values. */
export async function restoreSysctls(before: MachineState): Promise<void> {
  for (const line of before['sysctls'] ?? []) {
    const [name = '', value = ''] = line.split(' = ')
    if ((await readFile(fileOf(name), 'utf8')).trim() !== value) await writeFile(fileOf(name), value)
  }
}
