import { rootCertificates } from 'node:tls'
import { readSettings as readBackup, settingNames as backupSettings } from '@sumlock/backup/config'
import { databaseOwners } from '@sumlock/deployment/provision'
import { createSecrets } from '@sumlock/deployment/secrets'
import { readMigrationConfig } from '@sumlock/service-kit/config'
import { readConfig as readAuth } from '../../services/auth/src/config.ts'
import { readConfig as readBilling } from '../../services/billing/src/config.ts'
import { readConfig as readGateway } from '../../services/gateway/src/config.ts'
import { readConfig as readMessaging } from '../../services/messaging/src/config.ts'
import { readConfig as readNotify } from '../../services/notify/src/config.ts'
import { readConfig as readRealtime } from '../../services/realtime/src/config.ts'
import { containersOf, nameOf, ofKind, podOf, settingsOf, renderedManifests } from './test/manifest.ts'
import type { Container, Manifest } from './test/manifest.ts'
import { overlays } from './overlays.ts'
import { exampleProduction } from './secrets/example-production.ts'
import { ownEngines, secretManifests, clusterSecrets } from './secrets/secret-manifests.ts'

/** Each reader throws on a missing or wrong setting and returns the names that it reads. */
const readers: Record<string, (env: NodeJS.ProcessEnv) => readonly string[]> = {
  gateway: (env) => Object.keys(readGateway(env)),
  auth: (env) => Object.keys(readAuth(env)),
  messaging: (env) => Object.keys(readMessaging(env)),
  billing: (env) => Object.keys(readBilling(env)),
  notify: (env) => Object.keys(readNotify(env)),
  realtime: (env) => Object.keys(readRealtime(env)),
  backup: (env) => {
    readBackup(env)
    return backupSettings
  },
}

const keyInPem = /PRIVATE KEY/
const credentialsInAddress = /:\/\/[^/\s]*:[^/\s]*@/
const sixteenBytesInHex = /\b[0-9a-f]{32,}\b/
const looksSecret = (value: string) =>
  [keyInPem, credentialsInAddress, sixteenBytesInHex].some((pattern) => pattern.test(value))

const containersIn = (manifest: Manifest): Container[] => {
  const pod = podOf(manifest)
  return pod ? containersOf(pod.spec) : []
}

function secretsUsedBy(manifest: Manifest): { name: string; key?: string }[] {
  const containers = containersIn(manifest)
  const volumes = podOf(manifest)?.spec.volumes ?? []
  return [
    ...containers.flatMap(({ envFrom = [] }) => envFrom.flatMap(({ secretRef }) => secretRef ?? [])),
    ...containers
      .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.['secretKeyRef'] ?? []))
      .map(({ name = '', key = '' }) => ({ name, key })),
    ...volumes.flatMap(({ secret }) => (secret ? { name: secret.secretName } : [])),
  ]
}

/** Node itself reads settings with this prefix, and no service does. */
const isNodes = ({ name }: { name: string }) => name.startsWith('NODE_')

/** The environment of a workload. */
function environmentOf(
  manifests: readonly Manifest[],
  name: string,
  secrets: ReadonlyMap<string, Record<string, string>>,
): Record<string, string> {
  const workload = manifests.find(
    (manifest) => ['Deployment', 'CronJob', 'Job'].includes(manifest.kind) && manifest.metadata.name === name,
  )!
  const pod = podOf(workload)!.spec
  const { env = [], envFrom = [] } = pod.containers[0]!
  return Object.assign(
    {},
    settingsOf(manifests, pod),
    ...envFrom.map(({ secretRef }) => secrets.get(secretRef?.name ?? '')),
    ...env
      .filter((one) => !isNodes(one))
      .map(({ name, value, valueFrom }) => {
        const { name: secret = '', key = '' } = valueFrom?.['secretKeyRef'] ?? {}
        return { [name]: value ?? secrets.get(secret)?.[key] ?? 'set by the cluster' }
      }),
  ) as Record<string, string>
}

describe('settings of the production overlay with accounts for selling premium', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----'
  const bundleId = 'com.example.calculator'
  const appStore = { issuerId: 'i', keyId: 'k', privateKey: key, rootCertificates: ['AAAA'] }
  const push = { pushAudience: 'audience', pushEmail: 'push@example.com' }
  const accounts = {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRETS: 'whsec_1,whsec_2',
    APP_STORE: JSON.stringify({ ...appStore, bundleId, appAppleId: 1, environment: 'Production' }),
    GOOGLE_PLAY: JSON.stringify({
      packageName: bundleId,
      clientEmail: 'a@example.com',
      privateKey: key,
      ...push,
    }),
  }
  const billingWith = (sales: Record<string, string>) => {
    const ours = createSecrets()
    const engines = { ...exampleProduction(ours), ...sales }
    const made = secretManifests('production', ours, engines)
    const secrets = new Map(made.map(({ metadata, stringData }) => [metadata.name, stringData]))
    return { ...environmentOf(renderedManifests('production'), 'billing', secrets), PAYMENTS: 'stripe' }
  }

  it('let billing sell by Stripe and both stores', () => {
    const config = readBilling(billingWith(accounts))
    expect(config).toMatchObject({
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRETS: ['whsec_1', 'whsec_2'],
      APP_STORE: { bundleId, privateKey: key },
      GOOGLE_PLAY: { packageName: bundleId, privateKey: key },
    })
  })

  it('are refused without the keys of Stripe', () => {
    expect(() => readBilling(billingWith({}))).toThrow('STRIPE_SECRET_KEY: is needed with PAYMENTS=stripe')
  })
})

describe.each(overlays)('settings of the %s overlay', (overlay) => {
  const manifests = renderedManifests(overlay)
  const ourSecrets = createSecrets()
  const secrets = new Map(
    secretManifests(
      overlay,
      ourSecrets,
      overlay === 'production' ? exampleProduction(ourSecrets) : ownEngines(ourSecrets),
      rootCertificates[0],
    ).map((one) => [one.metadata.name, one.stringData]),
  )

  it.each(Object.keys(readers))('give %s every setting it needs and none that it does not know', (name) => {
    const all = environmentOf(manifests, name, secrets)
    const known = readers[name]!(all)
    expect(Object.keys(all).filter((setting) => !known.includes(setting))).toEqual([])
  })

  it.each(databaseOwners)('give the Job migrate-%s its database and no other secret', (owner) => {
    const [job] = ofKind(manifests, 'Job').filter(({ metadata }) => metadata.name === `migrate-${owner}`)
    const used = secretsUsedBy(job!).filter(({ name }) => name !== 'authorities')
    expect(used).toEqual([{ name: owner, key: 'MONGO_URL' }])
    const { MONGO_URL } = readMigrationConfig(environmentOf(manifests, `migrate-${owner}`, secrets))
    expect(MONGO_URL).toBe(secrets.get(owner)?.['MONGO_URL'])
  })

  it('hold no secret in a ConfigMap', () => {
    const offenders = ofKind(manifests, 'ConfigMap').flatMap((map) =>
      Object.entries(map.data ?? {})
        .filter(([name, value]) => clusterSecrets.has(name) || looksSecret(value))
        .map(([name]) => `${nameOf(map)}: ${name}`),
    )
    expect(offenders).toEqual([])
  })

  it('hold no secret in the environment of a container', () => {
    const offenders = manifests.flatMap((manifest) =>
      containersIn(manifest)
        .flatMap(({ env = [] }) => env)
        .filter(({ name, value }) => value !== undefined && (clusterSecrets.has(name) || looksSecret(value)))
        .map(({ name }) => `${nameOf(manifest)}: ${name}`),
    )
    expect(offenders).toEqual([])
  })

  it('come without a Secret in git', () => {
    expect(ofKind(manifests, 'Secret').map(nameOf)).toEqual([])
  })

  it('refer only to Secrets and keys that npm run k8s:secrets writes', () => {
    const missing = manifests.flatMap((manifest) =>
      secretsUsedBy(manifest)
        .filter(({ name, key }) => {
          const data = secrets.get(name)
          return !data || (key !== undefined && !(key in data))
        })
        .map(({ name, key }) => `${nameOf(manifest)}: ${name} ${key ?? ''}`),
    )
    expect(missing).toEqual([])
  })

  it('use every Secret that npm run k8s:secrets writes', () => {
    const used = manifests.flatMap(secretsUsedBy).map(({ name }) => name)
    expect([...secrets.keys()].filter((name) => !used.includes(name))).toEqual([])
  })
})
