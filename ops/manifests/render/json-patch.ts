import type { Manifest } from '../manifest.ts'
import type { Patch } from './kustomization.ts'

/** Applies a patch (RFC 6902: add, replace, remove) to every manifest it is for; throws when there is none. */
export function applyPatch(manifests: readonly Manifest[], { target, patch }: Patch): void {
  const targets = manifests.filter(
    ({ kind, metadata }) => kind === target.kind && metadata.name === (target.name ?? metadata.name),
  )
  if (targets.length === 0)
    throw new Error(
      `A patch is for ${target.kind} ${target.name ?? '(any)'}, and there is none. Correct its target.`,
    )
  for (const manifest of targets) for (const operation of patch) applyOne(manifest, operation)
}

function applyOne(manifest: Manifest, { op, path, value }: Patch['patch'][number]): void {
  const steps = path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = steps.pop() as string
  const parent = steps.reduce<unknown>(
    (at, step) => (at as Record<string, unknown> | undefined)?.[step],
    manifest,
  )
  const isThere = typeof parent === 'object' && parent !== null
  if (!isThere || (op !== 'add' && !(last in parent)))
    throw new Error(
      `A patch wants to ${op} ${path} of ${manifest.kind} ${manifest.metadata.name}, which is not there.`,
    )
  const copy = structuredClone(value)
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last)
    if (op === 'replace') parent[index] = copy
    else if (op === 'add') parent.splice(index, 0, copy)
    else parent.splice(index, 1)
  } else if (op === 'remove') delete (parent as Record<string, unknown>)[last]
  else (parent as Record<string, unknown>)[last] = copy
}
