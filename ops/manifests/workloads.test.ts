import { rootCertificates } from 'node:tls'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { requestGraceMs } from '@sumlock/service-kit/serve'
import {
  containersOf,
  jobSpecOf,
  nameOf,
  ofKind,
  podOf,
  selects,
  settingsOf,
  renderedManifests,
} from './test/manifest.ts'
import type { Container, Manifest, PodSpec, Selector } from './test/manifest.ts'
import { overlays } from './overlays.ts'
import { authoritiesSecret } from './secrets/authorities.ts'

// In `npm run k8s:check`, an API server applies the standard "restricted": no root, capabilities, escalation or access to
// the host. Each test here lists the workloads that break one more rule.
describe.each(overlays)('workloads of the %s overlay', (overlay) => {
  const manifests = renderedManifests(overlay)
  const deployments = ofKind(manifests, 'Deployment')
  const pods = manifests.flatMap((manifest) => {
    const pod = podOf(manifest)
    return pod ? [{ manifest, pod: pod.spec, labels: pod.metadata.labels }] : []
  })
  const podsThat = (isWrong: (pod: PodSpec, manifest: Manifest) => boolean) =>
    pods.filter(({ pod, manifest }) => isWrong(pod, manifest)).map(({ manifest }) => nameOf(manifest))
  const containersThat = (isWrong: (container: Container) => boolean) =>
    podsThat((pod) => containersOf(pod).some(isWrong))
  const manifestsThat = (kind: string, isWrong: (manifest: Manifest) => boolean) =>
    ofKind(manifests, kind).filter(isWrong).map(nameOf)

  it('are in a namespace that enforces the Pod Security standard "restricted"', () => {
    const enforced = ofKind(manifests, 'Namespace').map(
      ({ metadata }) => `${metadata.name}: ${metadata.labels?.['pod-security.kubernetes.io/enforce']}`,
    )
    expect(enforced).toEqual(['sumlock: restricted'])
  })

  it('run as a ServiceAccount of their own that mounts no token for the API server', () => {
    const withoutToken = ofKind(manifests, 'ServiceAccount')
      .filter(({ automountServiceAccountToken }) => automountServiceAccountToken === false)
      .map(({ metadata }) => metadata.name)
    const offenders = podsThat(
      (pod) =>
        !withoutToken.includes(pod.serviceAccountName ?? '') || pod.automountServiceAccountToken !== false,
    )
    expect(offenders).toEqual([])
  })

  it("get no environment variables with other services' addresses", () => {
    expect(podsThat(({ enableServiceLinks }) => enableServiceLinks !== false)).toEqual([])
  })

  it('cannot write to the file system of their image', () => {
    expect(containersThat((one) => one.securityContext?.readOnlyRootFilesystem !== true)).toEqual([])
  })

  it('run our images in a fixed version, or engines in the versions of engine-versions.ts', () => {
    const engineImages: string[] = Object.values(engineVersions).map(({ image }) => image)
    const isOurs = /(^|\/)sumlock\/[a-z]+:(?!latest$)[^/:]+$/
    expect(containersThat(({ image }) => !isOurs.test(image) && !engineImages.includes(image))).toEqual([])
  })

  it('trust the private authorities of an optional Secret wherever our programs connect to an engine', () => {
    const { file, ...data } = authoritiesSecret(rootCertificates[0]!)
    const trusts = (pod: PodSpec, { env = [], volumeMounts = [] }: Container) => {
      const key = env.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.valueFrom?.['secretKeyRef']
      const volume = pod.volumes?.find(({ secret }) => secret?.secretName === 'authorities')
      const mount = volumeMounts.find(({ name }) => name === volume?.name)
      return (
        key?.name === 'authorities' &&
        key.key === 'file' &&
        key.optional === true &&
        volume?.secret?.optional === true &&
        Object.keys(data).some((name) => file === `${mount?.mountPath}/${name}`)
      )
    }
    const connects = ({ image }: Container) => /sumlock\/(?!web:)/.test(image)
    const offenders = podsThat(
      (pod, { metadata }) =>
        metadata.name !== 'seed' && pod.containers.some((one) => connects(one) && !trusts(pod, one)),
    )
    expect(offenders).toEqual([])
  })

  it('have each MongoDB log no slow query, whose line would hold hashes of cookies', () => {
    const logsSlowQueries = ({ image, args = [] }: Container) =>
      image === engineVersions.mongo.image &&
      args.includes('--replSet=rs0') &&
      !args.includes('--slowms=86400000')
    expect(containersThat(logsSlowQueries)).toEqual([])
  })

  it('have no MongoDB offer the compressor zlib, which has returned memory to strangers', () => {
    const offersZlib = ({ image, args = [] }: Container) =>
      image === engineVersions.mongo.image &&
      args.includes('--replSet=rs0') &&
      !args.includes('--networkMessageCompressors=snappy,zstd')
    expect(containersThat(offersZlib)).toEqual([])
  })

  it('request processor time and memory, and have limits for both', () => {
    const isIncomplete = (amounts?: Record<string, string>) => !amounts?.['cpu'] || !amounts['memory']
    const offenders = containersThat(
      ({ resources }) => isIncomplete(resources?.requests) || isIncomplete(resources?.limits),
    )
    expect(offenders).toEqual([])
  })

  it('have a startup, a readiness and a liveness probe unless they are Jobs', () => {
    const offenders = podsThat(
      ({ containers }, { kind }) =>
        kind !== 'Job' &&
        kind !== 'CronJob' &&
        containers.some((one) => !(one.startupProbe && one.readinessProbe && one.livenessProbe)),
    )
    expect(offenders).toEqual([])
  })

  it('are not restarted because another part is down: liveness and startup never ask /readyz', () => {
    const offenders = containersThat(({ livenessProbe, startupProbe }) =>
      [livenessProbe, startupProbe].some((probe) => probe?.httpGet?.path === '/readyz'),
    )
    expect(offenders).toEqual([])
  })

  it('keep every replica of a Deployment until its successor is ready', () => {
    const offenders = manifestsThat('Deployment', ({ spec }) => {
      const { strategy } = spec as {
        strategy?: { type?: string; rollingUpdate?: { maxUnavailable?: unknown; maxSurge?: unknown } }
      }
      const { maxUnavailable, maxSurge } = strategy?.rollingUpdate ?? {}
      return strategy?.type !== 'RollingUpdate' || maxUnavailable !== 0 || !maxSurge
    })
    expect(offenders).toEqual([])
  })

  it('have a preStop pause, and a grace period for it, the drain and the longest request', () => {
    const closingSeconds = 15
    const offenders = manifestsThat('Deployment', (deployment) => {
      const pod = podOf(deployment)!.spec
      const preStop = pod.containers[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0
      const drainMs = Number(settingsOf(manifests, pod)['DRAIN_DELAY_MS'] ?? 0)
      const drain = drainMs > 0 ? (drainMs + requestGraceMs) / 1000 + closingSeconds : 0
      return preStop < 1 || (pod.terminationGracePeriodSeconds ?? 30) <= preStop + drain
    })
    expect(offenders).toEqual([])
  })

  it('spread the replicas of a Deployment over nodes and zones', () => {
    const offenders = manifestsThat('Deployment', (deployment) => {
      const { spec, metadata } = podOf(deployment)!
      const spread = (spec.topologySpreadConstraints ?? [])
        .filter(({ labelSelector }) => labelSelector && selects(labelSelector, metadata.labels))
        .map(({ topologyKey }) => topologyKey)
      return !['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].every((key) => spread.includes(key))
    })
    expect(offenders).toEqual([])
  })

  it('have one disruption budget per Deployment, which lets one replica go at a time', () => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget').map(
      ({ spec }) => spec as { selector: Selector; maxUnavailable?: unknown },
    )
    const offenders = manifestsThat('Deployment', (deployment) => {
      const found = budgets.filter(({ selector }) => selects(selector, podOf(deployment)!.metadata.labels))
      return found.length !== 1 || found[0]?.maxUnavailable !== 1
    })
    expect(offenders).toEqual([])
  })

  const scalers = ofKind(manifests, 'HorizontalPodAutoscaler').map(
    ({ spec }) => spec as { scaleTargetRef: { name: string }; minReplicas: number; maxReplicas: number },
  )

  it('are scaled by an autoscaler only if they exist and set no number of replicas themselves', () => {
    const scalable = deployments.filter(({ spec }) => spec?.['replicas'] === undefined)
    const names = scalable.map(({ metadata }) => metadata.name)
    expect(scalers.filter(({ scaleTargetRef }) => !names.includes(scaleTargetRef.name))).toEqual([])
  })

  it('can be scaled up by their autoscaler', () => {
    expect(scalers.filter(({ minReplicas, maxReplicas }) => maxReplicas <= minReplicas)).toEqual([])
  })

  it('have an autoscaler that keeps two replicas of each Deployment of ours in production', () => {
    const scaled = scalers
      .filter(({ minReplicas }) => minReplicas >= (overlay === 'production' ? 2 : 1))
      .map(({ scaleTargetRef }) => scaleTargetRef.name)
    const ours = deployments.filter((one) => podOf(one)!.spec.containers[0]?.image.includes('sumlock/'))
    expect(ours.map(({ metadata }) => metadata.name).sort()).toEqual(scaled.sort())
  })

  it('end as Jobs after a time and some attempts, and are removed afterwards', () => {
    const lacks = (spec: Record<string, unknown> | undefined, keys: readonly string[]) =>
      keys.some((key) => !(Number(spec?.[key]) > 0))
    const ends = ['backoffLimit', 'activeDeadlineSeconds']
    const jobs = manifestsThat('Job', ({ spec }) => lacks(spec, [...ends, 'ttlSecondsAfterFinished']))
    const histories = ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit', 'startingDeadlineSeconds']
    const cronJobs = manifestsThat(
      'CronJob',
      (cronJob) => lacks(jobSpecOf(cronJob), ends) || lacks(cronJob.spec, histories),
    )
    expect([...jobs, ...cronJobs]).toEqual([])
  })

  // A new version deletes all Jobs with the label component=job, and waits for those. A Job without labels has its pods'.
  it('are left alone by a new version as Jobs of a CronJob', () => {
    const labels = ({ spec }: Manifest) =>
      (spec as { jobTemplate: { metadata?: { labels?: Record<string, string> } } }).jobTemplate.metadata
        ?.labels
    const isMarked = (manifest: Manifest) => {
      const own = labels(manifest)
      return own === undefined || 'app.kubernetes.io/component' in own
    }
    expect(manifestsThat('CronJob', isMarked)).toEqual([])
  })

  it('never run twice at once as a CronJob', () => {
    expect(manifestsThat('CronJob', ({ spec }) => spec?.['concurrencyPolicy'] !== 'Forbid')).toEqual([])
  })

  it('mount exactly the volume claims of the manifests', () => {
    const claimed = ofKind(manifests, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
    const mounted = pods
      .flatMap(({ pod }) => pod.volumes ?? [])
      .flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])
    expect([...new Set(mounted)]).toEqual(claimed)
  })

  it('write backups to a volume claim, with a group that may write there', () => {
    const [backup] = pods.filter(({ pod }) => settingsOf(manifests, pod)['BACKUP_FOLDER'] !== undefined)
    const folder = settingsOf(manifests, backup?.pod)['BACKUP_FOLDER']
    const mount = backup?.pod.containers[0]?.volumeMounts?.find(({ mountPath }) => mountPath === folder)
    const volume = backup?.pod.volumes?.find(({ name }) => name === mount?.name)
    expect(volume?.persistentVolumeClaim?.claimName).toBe('backups')
    expect(backup?.pod.securityContext?.fsGroup).toBeGreaterThan(0)
  })
})
