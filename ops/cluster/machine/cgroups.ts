import { existsSync } from 'node:fs'
import { mkdir, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@sumlock/deployment/wait-until'

const hierarchies = '/sys/fs/cgroup'
const parent = 'sumlock-try'

/** Returns the group, in each hierarchy, below which a cluster or a Docker daemon puts those of its containers. */
export const cgroupOf = (owner: string): string => `/${parent}/${owner}`

const parents = async (): Promise<string[]> =>
  (await readdir(hierarchies, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && existsSync(join(hierarchies, entry.name, 'cgroup.procs')))
    .map(({ name }) => join(hierarchies, name, parent))

/** Creates the group of an owner, which a kubelet does not do. */
export async function makeCgroups(owner: string): Promise<void> {
  for (const group of await parents()) await mkdir(join(group, owner), { recursive: true })
}

/** Removes the groups of owners that have ended, with the common parent once it is empty. */
export async function removeCgroups(...owners: readonly string[]): Promise<void> {
  for (const group of await parents()) {
    if (!existsSync(group)) continue
    for (const owner of owners) if (existsSync(join(group, owner))) await removeTree(join(group, owner))
    if ((await subgroups(group)).length === 0) await rmdir(group)
  }
}

async function removeTree(group: string): Promise<void> {
  for (const name of await subgroups(group)) await removeTree(join(group, name))
  // Processes that were killed are in their group until the kernel has removed them.
  await waitUntil(`the processes of ${group} to end`, () => removeEmpty(group), { timeoutMs: 20_000 })
}

const removeEmpty = (group: string): Promise<boolean> =>
  rmdir(group).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EBUSY') throw error
      return false
    },
  )

const subgroups = async (group: string): Promise<string[]> =>
  (await readdir(group, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
