import { existsSync } from 'node:fs'
import { mkdir, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/** All control groups of a try are in groups of this name, one in each hierarchy. */
export const cgroupName = 'sumlock-try'

const hierarchies = '/sys/fs/cgroup'

const groups = async (): Promise<string[]> =>
  (await readdir(hierarchies, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && existsSync(join(hierarchies, entry.name, 'cgroup.procs')))
    .map(({ name }) => join(hierarchies, name, cgroupName))

/** Creates the group below which a cluster puts those of its pods. */
export async function makeCgroups(cluster: string): Promise<void> {
  for (const group of await groups()) await mkdir(join(group, cluster), { recursive: true })
}

/** Removes the groups, in which no process is left. */
export async function removeCgroups(): Promise<void> {
  for (const group of await groups()) if (existsSync(group)) await removeTree(group)
}

async function removeTree(group: string): Promise<void> {
  for (const entry of await readdir(group, { withFileTypes: true }))
    if (entry.isDirectory()) await removeTree(join(group, entry.name))
  await rmdir(group)
}
