import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'
import { step } from '@sumlock/dev/processes/progress'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { dockerProblem } from '../images/checks/docker-problem.ts'
import { imageComponent } from '../images/image-component.ts'
import type { BuiltImage } from '../images/image-component.ts'
import { buildImage, productImages, pushImage } from '../images/product-images.ts'
import { revisionOf } from '../images/revision.ts'

// npm run images [-- [--push REGISTRY] [-- ARGUMENTS OF docker build]]
// Builds all images, tags them with version and revision, and writes the kustomize component that deploys them. The
// plain version is a second tag, which docker-compose.yml and k8s/overlays/local name.
try {
  const { values, positionals: dockerArgs } = parseArgs({
    allowPositionals: true,
    options: { push: { type: 'string' } },
  })
  const { push: registry } = values
  if (registry !== undefined && !/^[\w.-]+(:\d+)?(\/[\w.-]+)*$/.test(registry))
    throw new Error(
      `Name the registry as registry.example.com or registry.example.com/team, not "${registry}".`,
    )
  const problem = await dockerProblem()
  if (problem !== undefined) throw new Error(`No image was built: ${problem}`)
  const { version } = JSON.parse(await readFile(join(repoRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  const revision = await revisionOf(repoRoot)
  const tag = `${version}-${revision}`
  const built: BuiltImage[] = []
  for (const image of productImages) {
    const full = `${image.name}:${tag}`
    await step(progress, `Building ${full}`, () =>
      buildImage(image, { tags: [full, `${image.name}:${version}`], revision, dockerArgs }),
    )
    built.push({ name: image.name, tag })
  }
  if (registry !== undefined)
    for (const image of built) {
      image.registry = registry
      image.digest = await step(progress, `Pushing ${registry}/${image.name}:${tag}`, () =>
        pushImage(`${image.name}:${tag}`, registry),
      )
    }
  const component = join(repoRoot, 'k8s/deploy/images/kustomization.yaml')
  await mkdir(dirname(component), { recursive: true })
  await writeFile(component, imageComponent(built))
  progress('k8s/deploy/local and k8s/deploy/production now use these images.')
  if (registry === undefined)
    progress('No registry has them. For another machine: npm run images -- --push REGISTRY')
} catch (error) {
  failWith(error)
}
