import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { overlays, renderOverlay } from '../manifests/overlays.ts'
import { compactSchemas, kindKey } from '../manifests/schema/compact.ts'
import type { Definitions } from '../manifests/schema/compact.ts'
import { schemasFile } from '../manifests/schema/validate.ts'
import { kubernetesVersion } from '../manifests/versions.ts'

// npm run k8s:schemas: takes the kinds both overlays use, and Pod, out of the OpenAPI document of Kubernetes' own release.
const download = execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
const { Dir } = JSON.parse(download) as { Dir: string }
const { definitions } = JSON.parse(readFileSync(join(Dir, 'api/openapi-spec/swagger.json'), 'utf8')) as {
  definitions: Definitions
}
const used = new Set(['v1 Pod', 'v1 Secret', ...overlays.flatMap(renderOverlay).map(kindKey)])
const schemas = compactSchemas(kubernetesVersion, definitions, used)
const lines = Object.entries(schemas.definitions).map(
  ([name, definition]) => `${JSON.stringify(name)}:${JSON.stringify(definition)}`,
)
const { version, kinds } = schemas
writeFileSync(
  schemasFile,
  `{"version":${JSON.stringify(version)},"kinds":${JSON.stringify(kinds)},"definitions":{\n${lines.join(',\n')}\n}}\n`,
)
process.stdout.write(
  `${Object.keys(kinds).length} kinds, ${lines.length} definitions of Kubernetes ${version}\n`,
)
