import { requestGraceMs } from '@sumlock/service-kit/serve'
import { jobSpecOf, nameOf, ofKind, podOf, selects } from '../manifest.ts'
import type { Manifest, Selector } from '../manifest.ts'
import { containerPolicy, podPolicy } from './policy.ts'
import type { Policy } from './policy.ts'
import { settingsOf } from './settings-of.ts'

/** Closing sockets in waves, the consumers' and outboxes' last flush. */
const closingSeconds = 15

/** How a Job ends, and how many of its Jobs a CronJob leaves behind. */
const givesUp = ['backoffLimit', 'activeDeadlineSeconds']
const histories = ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']
const lacks = (spec: Record<string, unknown> | undefined, keys: readonly string[]) =>
  keys.some((key) => !(Number(spec?.[key]) > 0))

const isLongRunning = ({ kind }: Manifest) => kind !== 'Job' && kind !== 'CronJob'

export const running: readonly Policy[] = [
  containerPolicy(
    'probes',
    'What runs for long has a startup, a readiness and a liveness probe.',
    ({ startupProbe, readinessProbe, livenessProbe }, manifest) => {
      const isInit = podOf(manifest)?.spec.initContainers?.some(
        ({ livenessProbe: probe }) => probe === livenessProbe,
      )
      if (!isLongRunning(manifest) || (isInit && !livenessProbe)) return undefined
      return (
        !(startupProbe && readinessProbe && livenessProbe) && 'lacks a startup, readiness or liveness probe'
      )
    },
  ),
  containerPolicy(
    'liveness-asks-itself-only',
    'Liveness never depends on another part: `/livez` for a service, never `/readyz`.',
    ({ livenessProbe, startupProbe }) =>
      [livenessProbe, startupProbe].some((probe) => probe?.httpGet?.path === '/readyz') &&
      'would be killed because another part is away: probe /livez',
  ),
  {
    id: 'rolling-update',
    says: 'A Deployment takes no replica away before the new one is ready.',
    check: (manifests) =>
      ofKind(manifests, 'Deployment').flatMap((deployment) => {
        const { strategy } = deployment.spec as {
          strategy?: { type?: string; rollingUpdate?: { maxUnavailable?: unknown; maxSurge?: unknown } }
        }
        const isSafe =
          strategy?.type === 'RollingUpdate' &&
          strategy.rollingUpdate?.maxUnavailable === 0 &&
          Boolean(strategy.rollingUpdate.maxSurge)
        return isSafe
          ? []
          : [`${nameOf(deployment)} may lose a replica in an update: maxUnavailable 0, maxSurge 1`]
      }),
  },
  {
    id: 'stops-in-time',
    says: 'preStop, the drain and the longest request fit into the grace period, and a preStop keeps the door open until the endpoints know.',
    check: (manifests) =>
      ofKind(manifests, 'Deployment').flatMap((deployment) => {
        const pod = podOf(deployment)?.spec
        const [container] = pod?.containers ?? []
        const preStop = container?.lifecycle?.preStop?.sleep?.seconds ?? 0
        const drainMs = Number(settingsOf(manifests, pod)['DRAIN_DELAY_MS'] ?? 0)
        const needed = preStop + drainMs / 1000 + (drainMs > 0 ? requestGraceMs / 1000 + closingSeconds : 0)
        if (preStop < 1) return [`${nameOf(deployment)} closes before the endpoints know: preStop sleep`]
        const grace = pod?.terminationGracePeriodSeconds ?? 30
        return grace > needed
          ? []
          : [`${nameOf(deployment)} is killed after ${grace} s and may need ${needed} s`]
      }),
  },
  podPolicy('topology-spread', 'Replicas of a Deployment spread over nodes and zones.', (pod, manifest) => {
    const labels = podOf(manifest)?.metadata.labels ?? {}
    const spread = (pod.topologySpreadConstraints ?? [])
      .filter(({ labelSelector }) => labelSelector && selects(labelSelector, labels))
      .map(({ topologyKey }) => topologyKey)
    const wanted = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone']
    return (
      manifest.kind === 'Deployment' &&
      !wanted.every((key) => spread.includes(key)) &&
      'does not spread over nodes and zones'
    )
  }),
  {
    id: 'disruption-budget',
    says: 'Every Deployment has a PodDisruptionBudget that selects its pods and lets at most one go.',
    check: (manifests) =>
      ofKind(manifests, 'Deployment').flatMap((deployment) => {
        const labels = podOf(deployment)?.metadata.labels ?? {}
        const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
          selects((spec as { selector: Selector }).selector, labels),
        )
        const fits = budgets.length === 1 && budgets[0]?.spec?.['maxUnavailable'] === 1
        return fits ? [] : [`${nameOf(deployment)} has ${budgets.length} budgets: one, with maxUnavailable 1`]
      }),
  },
  {
    id: 'autoscaler-targets',
    says: 'Every autoscaler targets a Deployment that exists, does not set replicas itself, and asks for processor time.',
    check: (manifests) =>
      ofKind(manifests, 'HorizontalPodAutoscaler').flatMap((scaler) => {
        const { scaleTargetRef, minReplicas, maxReplicas } = scaler.spec as {
          scaleTargetRef: { kind: string; name: string }
          minReplicas: number
          maxReplicas: number
        }
        const target = manifests.find(
          ({ kind, metadata }) => kind === scaleTargetRef.kind && metadata.name === scaleTargetRef.name,
        )
        if (!target) return [`${nameOf(scaler)} targets ${scaleTargetRef.name}, which does not exist`]
        if (target.spec?.['replicas'] !== undefined)
          return [`${nameOf(target)} sets replicas, and each apply would undo what the autoscaler did`]
        return maxReplicas > minReplicas
          ? []
          : [`${nameOf(scaler)} cannot scale: maxReplicas above minReplicas`]
      }),
  },
  {
    id: 'two-in-production',
    says: 'In production every Deployment has an autoscaler that keeps at least two replicas.',
    check: (manifests, overlay) => {
      if (overlay !== 'production') return []
      const scaled = ofKind(manifests, 'HorizontalPodAutoscaler')
        .map(({ spec }) => spec as { scaleTargetRef: { name: string }; minReplicas: number })
        .filter(({ minReplicas }) => minReplicas >= 2)
        .map(({ scaleTargetRef }) => scaleTargetRef.name)
      return ofKind(manifests, 'Deployment')
        .filter(({ metadata }) => !scaled.includes(metadata.name))
        .map((deployment) => `${nameOf(deployment)} may run alone: an autoscaler with minReplicas 2`)
    },
  },
  {
    id: 'jobs-end',
    says: 'Every Job gives up after some tries, ends within a time, and is taken away afterwards.',
    check: (manifests) => [
      ...ofKind(manifests, 'Job')
        .filter((job) => lacks(jobSpecOf(job), [...givesUp, 'ttlSecondsAfterFinished']))
        .map((job) => `${nameOf(job)} lacks backoffLimit, activeDeadlineSeconds or ttlSecondsAfterFinished`),
      ...ofKind(manifests, 'CronJob')
        .filter((cronJob) => lacks(jobSpecOf(cronJob), givesUp) || lacks(cronJob.spec, histories))
        .map((cronJob) => `${nameOf(cronJob)} lacks ${[...givesUp, ...histories].join(', ')}`),
    ],
  },
  {
    id: 'cron-jobs-one-by-one',
    says: 'A CronJob never starts a run beside the one before, and one it missed only within a set time.',
    check: (manifests) =>
      ofKind(manifests, 'CronJob')
        .filter(
          ({ spec }) => spec?.['concurrencyPolicy'] !== 'Forbid' || lacks(spec, ['startingDeadlineSeconds']),
        )
        .map(
          (cronJob) =>
            `${nameOf(cronJob)} may run twice at once: concurrencyPolicy Forbid, startingDeadlineSeconds`,
        ),
  },
]
