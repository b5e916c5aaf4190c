import { createSecrets } from '@sumlock/deployment/secrets'
import type { Manifest } from '../manifest.ts'
import { overlays, renderOverlay } from '../overlays.ts'
import { find } from '../policies/breakages/parts.ts'
import { secretManifests } from '../secrets/secret-manifests.ts'
import { kubernetesVersion } from '../versions.ts'
import { createValidator, readSchemas } from './validate.ts'

const validate = createValidator()
const rendered = { local: renderOverlay('local'), production: renderOverlay('production') }

describe.each(overlays)("overlay %s, by Kubernetes' published schemas", (overlay) => {
  const secrets = secretManifests(overlay, createSecrets()) as unknown as Manifest[]
  it.each(
    [...rendered[overlay], ...secrets].map(
      (manifest) => [manifest.kind, manifest.metadata.name, manifest] as const,
    ),
  )('%s %s', (_kind, _name, manifest) => {
    expect(validate(manifest)).toEqual([])
  })
})

describe('the schemas', () => {
  const broken = (kind: string, name: string, change: (spec: Record<string, never>) => void) => {
    const manifest = structuredClone(find(rendered.production, kind, name))
    change(manifest.spec as Record<string, never>)
    return validate(manifest)
  }

  it('are those of the release the manifests are checked against', () => {
    expect(readSchemas().version).toBe(kubernetesVersion)
  })

  it('refuse a field that does not exist, deep inside', () => {
    const change = (spec: Record<string, never>) =>
      Object.assign((spec as never as { template: { spec: object } }).template.spec, {
        automountServiceAcountToken: false,
      })
    expect(broken('Deployment', 'auth', change)).toEqual([
      'Deployment auth: /spec/template/spec must NOT have additional properties: automountServiceAcountToken',
    ])
  })

  it("refuse one in the pod of a CronJob, and in a claim's request", () => {
    const intoPod = (spec: Record<string, never>) => {
      const { jobTemplate } = spec as never as { jobTemplate: { spec: { template: { spec: object } } } }
      Object.assign(jobTemplate.spec.template.spec, { restartsPolicy: 'Never' })
    }
    expect(broken('CronJob', 'backup', intoPod)).toEqual([
      'CronJob backup: /spec/jobTemplate/spec/template/spec must NOT have additional properties: restartsPolicy',
    ])
    const intoClaim = (spec: Record<string, never>) => Object.assign(spec, { storageClass: 'slow' })
    expect(broken('PersistentVolumeClaim', 'backups', intoClaim)).toEqual([
      'PersistentVolumeClaim backups: /spec must NOT have additional properties: storageClass',
    ])
  })

  it('refuse a wrong type, a missing field and a number that is none', () => {
    expect(
      broken('Deployment', 'auth', (spec) => Object.assign(spec, { minReadySeconds: '3' })),
    ).toHaveLength(1)
    expect(
      broken('Deployment', 'auth', (spec) => Object.assign(spec, { minReadySeconds: 2 ** 31 })),
    ).toHaveLength(1)
    expect(broken('Deployment', 'auth', (spec) => delete spec['selector'])).toHaveLength(1)
  })

  it('refuse a kind they do not hold', () => {
    const odd = { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'old' } }
    expect(validate(odd)).toEqual([
      expect.stringContaining('apps/v1beta1 Deployment is not among the kept schemas'),
    ])
  })
})
