import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { renderedFile } from '../overlays.ts'
import type { Overlay } from '../overlays.ts'

/** The fields of Kubernetes' types that our tests read; the API server checks the others. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Labels }
  data?: Record<string, string>
  automountServiceAccountToken?: boolean
  spec?: Record<string, unknown>
}

export type Labels = Record<string, string>
export interface Selector {
  matchLabels?: Labels
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

interface Probe {
  httpGet?: { path: string; port: string | number }
  tcpSocket?: { port: string | number }
}

export interface Container {
  args?: string[]
  name: string
  image: string
  ports?: { name: string; containerPort: number }[]
  env?: {
    name: string
    value?: string
    valueFrom?: Record<string, { name?: string; key?: string; optional?: boolean }>
  }[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  lifecycle?: { preStop?: { sleep?: { seconds: number } } }
  volumeMounts?: { name: string; mountPath: string }[]
  securityContext?: { readOnlyRootFilesystem?: boolean }
}

export interface PodSpec {
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  enableServiceLinks?: boolean
  terminationGracePeriodSeconds?: number
  securityContext?: { fsGroup?: number }
  topologySpreadConstraints?: { topologyKey: string; labelSelector?: Selector }[]
  initContainers?: Container[]
  containers: Container[]
  volumes?: {
    name: string
    secret?: { secretName: string; optional?: boolean }
    persistentVolumeClaim?: { claimName: string }
  }[]
}

interface PodTemplate {
  metadata: { labels: Labels }
  spec: PodSpec
}

const podKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob']

export const renderedManifests = (overlay: Overlay): Manifest[] =>
  parseAllDocuments(readFileSync(renderedFile(overlay), 'utf8')).map(
    (document) => document.toJS() as Manifest,
  )

/** Returns a name for people: `Deployment gateway`. */
export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind)

/** Returns the spec of a manifest; for a CronJob, the spec of its Jobs. */
export function jobSpecOf({ kind, spec }: Manifest): Record<string, unknown> | undefined {
  if (kind !== 'CronJob') return spec
  return (spec as { jobTemplate: { spec: Record<string, unknown> } }).jobTemplate.spec
}

/** The template of the pods a manifest creates, if it creates any. */
export const podOf = (manifest: Manifest): PodTemplate | undefined =>
  podKinds.includes(manifest.kind) ? (jobSpecOf(manifest)?.['template'] as PodTemplate) : undefined

export const containersOf = ({ initContainers = [], containers }: PodSpec): Container[] => [
  ...initContainers,
  ...containers,
]

/** The settings of a pod's first container from ConfigMaps; later ones win, as in Kubernetes. */
export function settingsOf(manifests: readonly Manifest[], pod: PodSpec | undefined): Record<string, string> {
  const maps = new Map(ofKind(manifests, 'ConfigMap').map(({ metadata, data = {} }) => [metadata.name, data]))
  const names = (pod?.containers[0]?.envFrom ?? []).flatMap(({ configMapRef }) => configMapRef?.name ?? [])
  return Object.assign({}, ...names.map((name) => maps.get(name) ?? {})) as Record<string, string>
}

/** Whether a selector matches labels; an empty selector matches all. Throws for operators other than `In`. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`The selector operator ${operator} is not supported: use In.`)
      return values.includes(labels[key] ?? '')
    })
  )
}
