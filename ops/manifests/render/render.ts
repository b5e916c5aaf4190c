import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { containersOf, nameOf, podOf } from '../manifest.ts'
import type { Manifest, PodSpec } from '../manifest.ts'
import { generateConfigMap, hashOf } from './config-map.ts'
import { applyPatch } from './json-patch.ts'
import { readKustomization } from './kustomization.ts'
import type { Kustomization } from './kustomization.ts'

const clusterWide = ['Namespace']

/**
 * What `kubectl kustomize <folder>` makes of a folder, in the order in which it is written. Throws for whatever we do
 * not use, for two resources of one name, and for a reference to a ConfigMap that nobody makes.
 */
export function render(folder: string): Manifest[] {
  const { manifests, generated } = accumulate(folder)
  const hashed = new Map(
    generated.map((manifest) => {
      const { name } = manifest.metadata
      manifest.metadata.name = `${name}-${hashOf(manifest)}`
      return [name, manifest.metadata.name]
    }),
  )
  for (const manifest of manifests) {
    const pod = podOf(manifest)
    if (pod) pointToConfigMaps(pod.spec, hashed, nameOf(manifest))
  }
  return manifests
}

interface Accumulated {
  manifests: Manifest[]
  generated: Manifest[]
}

function accumulate(folder: string): Accumulated {
  const kustomization = readKustomization(folder)
  const parts = kustomization.resources.map((resource): Accumulated => {
    const path = join(folder, resource)
    return statSync(path).isDirectory() ? accumulate(path) : { manifests: readManifests(path), generated: [] }
  })
  const manifests = parts.flatMap((part) => part.manifests)
  const generated = parts.flatMap((part) => part.generated)
  for (const generator of kustomization.configMapGenerator) {
    const made = generateConfigMap(folder, generator)
    const before = generated.find(({ metadata }) => metadata.name === generator.name)
    if (Boolean(before) !== (generator.behavior === 'merge'))
      throw new Error(
        `${folder}: the ConfigMap ${generator.name} is ${before ? 'there already: say "behavior: merge"' : 'not there to be merged'}.`,
      )
    if (before) before.data = { ...before.data, ...made.data }
    else {
      generated.push(made)
      manifests.push(made)
    }
  }
  for (const patch of kustomization.patches) applyPatch(manifests, patch)
  for (const manifest of manifests) {
    if (clusterWide.includes(manifest.kind)) manifest.metadata.name = kustomization.namespace
    else manifest.metadata.namespace = kustomization.namespace
    renameImages(manifest, kustomization.images)
  }
  const names = manifests.map(nameOf)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  if (twice.length > 0) throw new Error(`${folder} has two of: ${twice.join(', ')}. Rename one.`)
  return { manifests, generated }
}

function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8'), { strict: true }).map((document) => {
    const [error] = [...document.errors, ...document.warnings]
    if (error) throw new Error(`${path}: ${error.message}`)
    return document.toJS() as Manifest
  })
}

function renameImages(manifest: Manifest, images: Kustomization['images']): void {
  const pod = podOf(manifest)
  for (const container of pod ? containersOf(pod.spec) : []) {
    const [name, tag] = container.image.split(':') as [string, string | undefined]
    const image = images.find((candidate) => candidate.name === name)
    if (image) container.image = `${image.newName ?? name}:${image.newTag ?? tag}`
  }
}

function pointToConfigMaps(pod: PodSpec, hashed: ReadonlyMap<string, string>, owner: string): void {
  const references = [
    ...containersOf(pod).flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef)),
    ...containersOf(pod).flatMap(({ env = [] }) =>
      env.map(({ valueFrom }) => valueFrom?.['configMapKeyRef']),
    ),
    ...(pod.volumes ?? []).map(({ configMap }) => configMap),
  ]
  for (const reference of references) {
    if (!reference) continue
    const name = hashed.get(reference.name ?? '')
    if (!name) throw new Error(`${owner} refers to the ConfigMap ${reference.name}, which nothing makes.`)
    reference.name = name
  }
}
