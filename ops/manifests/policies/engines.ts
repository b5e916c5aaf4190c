import { engineVersions } from '@sumlock/deployment/engine-versions'
import { containersOf, nameOf, podOf } from '../manifest.ts'
import type { Policy } from './policy.ts'

const named = Object.values(engineVersions).map(({ image }) => image)
const ofOurs = /(^|\/)sumlock\/[a-z]+:/

export const engines: readonly Policy[] = [
  {
    id: 'engines-as-named',
    says: 'What is not our own image is an engine, in the version that libs/deployment/src/engine-versions.ts names.',
    check: (manifests) =>
      manifests.flatMap((manifest) =>
        containersOf(podOf(manifest)?.spec ?? { containers: [] })
          .filter(({ image }) => !ofOurs.test(image) && !named.some((one) => one === image))
          .map(({ image }) => `${nameOf(manifest)} runs ${image}, which engine-versions.ts does not name`),
      ),
  },
]
