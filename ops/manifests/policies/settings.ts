import { readSettings as readBackup, settingNames as backupSettings } from '@sumlock/backup/settings'
import { createSecrets } from '@sumlock/deployment/secrets'
import { readConfig as readAuth } from '../../../services/auth/src/config.ts'
import { readConfig as readBilling } from '../../../services/billing/src/config.ts'
import { readConfig as readGateway } from '../../../services/gateway/src/config.ts'
import { readConfig as readMessaging } from '../../../services/messaging/src/config.ts'
import { readConfig as readNotify } from '../../../services/notify/src/config.ts'
import { readConfig as readRealtime } from '../../../services/realtime/src/config.ts'
import { containersOf, nameOf, ofKind, podOf } from '../manifest.ts'
import type { Manifest } from '../manifest.ts'
import type { Overlay } from '../overlays.ts'
import { ownEngines, secretManifests, secretSettings } from '../secrets/secret-manifests.ts'
import type { Policy } from './policy.ts'
import { settingsOf } from './settings-of.ts'

interface Reader {
  kind: 'Deployment' | 'CronJob'
  name: string
  /** Throws when a setting is missing or wrong; answers with the names of those it knows. */
  read: (env: NodeJS.ProcessEnv) => readonly string[]
}

const service = (name: string, read: (env: NodeJS.ProcessEnv) => object): Reader => ({
  kind: 'Deployment',
  name,
  read: (env) => Object.keys(read(env)),
})

const readers: readonly Reader[] = [
  service('gateway', readGateway),
  service('auth', readAuth),
  service('messaging', readMessaging),
  service('billing', readBilling),
  service('notify', readNotify),
  service('realtime', readRealtime),
  { kind: 'CronJob', name: 'backup', read: (env) => (readBackup(env, ''), backupSettings) },
]

/** What `npm run k8s:secrets` would make, by the Secret's name. */
const madeSecrets = (overlay: Overlay): Map<string, Record<string, string>> => {
  const secrets = createSecrets()
  return new Map(
    secretManifests(overlay, secrets, ownEngines(secrets)).map(({ metadata, stringData }) => [
      metadata.name,
      stringData,
    ]),
  )
}

/** A key in PEM, credentials in an address, 16 bytes or more in hex. */
const looksSecret = /PRIVATE KEY|:\/\/[^/\s]*:[^/\s]*@|\b[0-9a-f]{32,}\b/

function secretsReferredTo(manifest: Manifest): { name: string; key?: string }[] {
  const pod = podOf(manifest)?.spec
  if (!pod) return []
  return [
    ...containersOf(pod).flatMap(({ envFrom = [] }) => envFrom.flatMap(({ secretRef }) => secretRef ?? [])),
    ...containersOf(pod)
      .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.['secretKeyRef'] ?? []))
      .map(({ name = '', key = '' }) => ({ name, key })),
    ...(pod.volumes ?? []).flatMap(({ secret }) => (secret ? { name: secret.secretName } : [])),
  ]
}

export const settings: readonly Policy[] = [
  {
    id: 'settings-complete',
    says: 'What ConfigMaps and Secrets give a service or the backup is what its own schema takes: nothing missing, nothing wrong, nothing unknown.',
    check: (manifests, overlay) => {
      const secrets = madeSecrets(overlay)
      return readers.flatMap(({ kind, name: reader, read }) => {
        const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name === reader)
        if (!found) return [`There is no ${kind} ${reader}`]
        const pod = podOf(found)?.spec
        const [container] = pod?.containers ?? []
        const env = {
          ...settingsOf(manifests, pod),
          ...Object.assign(
            {},
            ...(container?.envFrom ?? []).map(({ secretRef }) => secrets.get(secretRef?.name ?? '')),
          ),
          ...Object.fromEntries(
            (container?.env ?? []).map(({ name, value = 'given by the cluster' }) => [name, value]),
          ),
        } as Record<string, string>
        try {
          const known = new Set(read(env))
          return Object.keys(env)
            .filter((name) => !known.has(name))
            .map(
              (name) => `${reader} does not know the setting ${name}: remove it, or add it to its config.ts`,
            )
        } catch (error) {
          return [`${reader} would not start: ${(error as Error).message}`]
        }
      })
    },
  },
  {
    id: 'no-secret-in-config-maps',
    says: 'No ConfigMap holds a secret, neither by the name of a setting nor by the look of a value.',
    check: (manifests) =>
      ofKind(manifests, 'ConfigMap').flatMap((map) =>
        Object.entries(map.data ?? {})
          .filter(([name, value]) => secretSettings.has(name) || looksSecret.test(value))
          .map(([name]) => `${nameOf(map)} holds ${name}: it belongs into a Secret`),
      ),
  },
  {
    id: 'no-secret-in-manifests',
    says: 'No Secret is among the manifests, and no container has a secret written into its environment.',
    check: (manifests) => [
      ...ofKind(manifests, 'Secret').map(
        (secret) => `${nameOf(secret)} is a file in git: npm run k8s:secrets makes it`,
      ),
      ...manifests.flatMap((manifest) =>
        containersOf(podOf(manifest)?.spec ?? { containers: [] }).flatMap(({ env = [] }) =>
          env
            .filter(
              ({ name, value }) =>
                value !== undefined && (secretSettings.has(name) || looksSecret.test(value)),
            )
            .map(({ name }) => `${nameOf(manifest)} has ${name} written into it`),
        ),
      ),
    ],
  },
  {
    id: 'secrets-are-made',
    says: 'Every Secret a pod refers to is one that `npm run k8s:secrets` makes, and none is made in vain.',
    check: (manifests, overlay) => {
      const made = madeSecrets(overlay)
      const used = manifests.flatMap((manifest) =>
        secretsReferredTo(manifest).map((reference) => ({ ...reference, manifest })),
      )
      return [
        ...used
          .filter(
            ({ name, key }) => !made.has(name) || (key !== undefined && !(key in (made.get(name) ?? {}))),
          )
          .map(
            ({ name, key, manifest }) =>
              `${nameOf(manifest)} needs the Secret ${name}${key ? ` (${key})` : ''}, which nothing makes`,
          ),
        ...[...made.keys()]
          .filter((name) => !used.some((reference) => reference.name === name))
          .map((name) => `The Secret ${name} is made and nobody reads it`),
      ]
    },
  },
]
