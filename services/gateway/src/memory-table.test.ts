import {
  containersOf,
  ofKind,
  podOf,
  renderedManifests,
  settingsOf,
} from '../../../ops/manifests/test/manifest.ts'
import { overlays } from '../../../ops/manifests/overlays.ts'
import { readCompose } from '../../../ops/images/checks/compose-file.ts'
import { memoryAtMost } from './memory-table.ts'

const megabyte = 1024 * 1024
const reserve = 64 * megabyte
const bytesOf = (amount: string) => Number(/^(\d+)(?:Mi|m)$/.exec(amount)?.[1]) * megabyte

it('what strangers can make the gateway hold stays 64 MB below the limit of its container in compose', () => {
  const { gateway } = readCompose().services
  const { mem_limit: limit = '' } = gateway as { mem_limit?: string }
  expect(memoryAtMost(Number(gateway?.environment?.['MAX_CONNECTIONS']))).toBeLessThan(
    bytesOf(limit) - reserve,
  )
})

it.each(overlays)(
  'what strangers can make the gateway hold stays 64 MB below the limit of its pod: %s',
  (overlay) => {
    const manifests = renderedManifests(overlay)
    const deployment = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === 'gateway')!
    const { spec } = podOf(deployment)!
    const limit = containersOf(spec)[0]?.resources?.limits?.['memory'] ?? ''
    const { MAX_CONNECTIONS } = settingsOf(manifests, spec)
    expect(memoryAtMost(Number(MAX_CONNECTIONS))).toBeLessThan(bytesOf(limit) - reserve)
  },
)
