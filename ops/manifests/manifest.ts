/** As much of Kubernetes' types as our policies look at; the published schemas check the rest. */
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

export interface Probe {
  httpGet?: { path: string; port: string | number }
  tcpSocket?: { port: string | number }
  periodSeconds?: number
  timeoutSeconds?: number
  failureThreshold?: number
}

export interface Container {
  name: string
  image: string
  command?: string[]
  args?: string[]
  ports?: { name: string; containerPort: number }[]
  env?: { name: string; value?: string; valueFrom?: Record<string, { name?: string; key?: string }> }[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  lifecycle?: { preStop?: { sleep?: { seconds: number } } }
  volumeMounts?: { name: string; mountPath: string }[]
  securityContext?: {
    allowPrivilegeEscalation?: boolean
    readOnlyRootFilesystem?: boolean
    privileged?: boolean
    runAsUser?: number
    capabilities?: { drop?: string[]; add?: string[] }
  }
}

export interface PodSpec {
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  enableServiceLinks?: boolean
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  terminationGracePeriodSeconds?: number
  restartPolicy?: string
  securityContext?: {
    runAsNonRoot?: boolean
    runAsUser?: number
    fsGroup?: number
    seccompProfile?: { type?: string }
  }
  topologySpreadConstraints?: { topologyKey: string; labelSelector?: Selector }[]
  initContainers?: Container[]
  containers: Container[]
  volumes?: {
    name: string
    hostPath?: unknown
    secret?: { secretName: string }
    configMap?: { name: string }
    persistentVolumeClaim?: { claimName: string }
  }[]
}

interface PodTemplate {
  metadata: { labels: Labels }
  spec: PodSpec
}

const podKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob']

/** What a person calls it: `Deployment gateway`. */
export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind)

/** What a Job is told, also one that a CronJob starts; of any other kind, its own specification. */
export function jobSpecOf({ kind, spec }: Manifest): Record<string, unknown> | undefined {
  if (kind !== 'CronJob') return spec
  return (spec as { jobTemplate: { spec: Record<string, unknown> } }).jobTemplate.spec
}

/** The pods a manifest makes, or none. */
export const podOf = (manifest: Manifest): PodTemplate | undefined =>
  podKinds.includes(manifest.kind) ? (jobSpecOf(manifest)?.['template'] as PodTemplate) : undefined

export const containersOf = ({ initContainers = [], containers }: PodSpec): Container[] => [
  ...initContainers,
  ...containers,
]

/** Whether labels fit a selector; an empty one fits everything. Throws for an operator nobody here uses. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In')
        throw new Error(`The selector operator ${operator} is not understood here: use In.`)
      return values.includes(labels[key] ?? '')
    })
  )
}
