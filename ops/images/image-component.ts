import { stringify } from 'yaml'

/** The overlay `production` names its images in this registry, which does not exist. */
export const exampleRegistry = 'registry.example.com'

export interface BuiltImage {
  /** As in the manifests: `sumlock/auth`. */
  name: string
  registry?: string
  tag: string
  /** Known after a push only. */
  digest?: string
}

/** Returns the text of a kustomize component that replaces the product's images by those that were built. */
export function imageComponent(images: readonly BuiltImage[]): string {
  const entries = images.flatMap(({ name, registry, tag, digest }) => {
    const newName = registry === undefined ? name : `${registry}/${name}`
    const version = digest === undefined ? { newTag: tag } : { digest }
    return [name, `${exampleRegistry}/${name}`].map((old) => ({ name: old, newName, ...version }))
  })
  const component = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', images: entries }
  return `# Written by npm run images.\n${stringify(component)}`
}
