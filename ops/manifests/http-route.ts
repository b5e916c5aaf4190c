import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'
import { imageComponent } from '../images/image-component.ts'
import { productImages } from '../images/product-images.ts'

const gatewayApi = 'sigs.k8s.io/gateway-api@v1.4.1'

/** Downloads the module of the Gateway API and returns the path of its definition of HTTPRoute. */
export async function httpRouteDefinition(): Promise<string> {
  const { Dir } = JSON.parse(await run('go', ['mod', 'download', '-json', gatewayApi])) as { Dir: string }
  return join(Dir, 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml')
}

/**
 * Returns what kustomize makes of `k8s/deploy/production` with built images and the HTTPRoute. It works in a copy in
 * `folder`, because an operator names both there.
 */
export async function renderWithHttpRoute(folder: string, kubectl: string): Promise<string> {
  const copy = join(folder, 'k8s')
  await rm(copy, { recursive: true, force: true })
  for (const part of ['base', 'components', 'deploy', 'overlays'])
    await cp(join(repoRoot, 'k8s', part), join(copy, part), { recursive: true })
  const images = join(copy, 'deploy/images')
  await mkdir(images, { recursive: true })
  const built = productImages.map(({ name }) => ({ name, tag: 'built' }))
  await writeFile(join(images, 'kustomization.yaml'), imageComponent(built))
  const overlay = join(copy, 'overlays/production/kustomization.yaml')
  const text = await readFile(overlay, 'utf8')
  await writeFile(overlay, `${text}components: [../../components/http-route]\n`)
  return run(kubectl, ['kustomize', join(copy, 'deploy/production')])
}
