import type { Kubernetes } from '../kubernetes.ts'

/** A try made the namespaces with this label, and may delete them with everything in them. */
export const ownLabel = { 'sumlock-try/made': 'yes' }

/** Labels a namespace that the lines of a page have made. */
export async function markAsOwn({ kubectl }: Pick<Kubernetes, 'kubectl'>, name: string): Promise<void> {
  const labels = Object.entries(ownLabel).map(([label, value]) => `${label}=${value}`)
  await kubectl('label', 'namespace', name, ...labels)
}

/** Throws when the cluster has one of these namespaces, and no try made it: its data would be deleted. */
export async function requireOwn(
  { kubectl }: Pick<Kubernetes, 'kubectl'>,
  names: readonly string[],
): Promise<void> {
  const others = Object.keys(ownLabel).map((label) => `!${label}`)
  const present = await kubectl('get', 'namespaces', `--selector=${others.join()}`, '--output=name')
  const found = names.filter((name) => present.split('\n').includes(`namespace/${name}`))
  if (found.length === 0) return
  throw new Error(
    `This cluster has a namespace ${found.join(' and ')} that no try made. The steps would delete it with all its data: name another cluster, or delete it yourself first.`,
  )
}
