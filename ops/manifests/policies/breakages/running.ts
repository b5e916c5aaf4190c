import { at, container, data, find, pod, remove } from './parts.ts'
import type { Breakage } from './parts.ts'

export const runningBreakages: readonly Breakage[] = [
  {
    policy: 'probes',
    how: 'no liveness probe',
    says: /lacks a startup/,
    broken: (m) => delete container(m).livenessProbe,
  },
  {
    policy: 'probes',
    how: 'no startup probe',
    says: /lacks a startup/,
    broken: (m) => delete container(m).startupProbe,
  },
  {
    policy: 'liveness-asks-itself-only',
    how: 'liveness by /readyz',
    says: /would be killed/,
    broken: (m) => Object.assign(container(m).livenessProbe?.httpGet ?? {}, { path: '/readyz' }),
  },
  {
    policy: 'rolling-update',
    how: 'one unavailable',
    says: /may lose a replica/,
    broken: (m) =>
      (at(find(m, 'Deployment', 'auth'), 'spec', 'strategy', 'rollingUpdate')['maxUnavailable'] = 1),
  },
  {
    policy: 'rolling-update',
    how: 'Recreate',
    says: /may lose a replica/,
    broken: (m) => (at(find(m, 'Deployment', 'auth'), 'spec')['strategy'] = { type: 'Recreate' }),
  },
  {
    policy: 'stops-in-time',
    how: 'a short grace',
    says: /is killed after 30 s and may need/,
    broken: (m) => (pod(m).terminationGracePeriodSeconds = 30),
  },
  {
    policy: 'stops-in-time',
    how: 'a long drain',
    says: /is killed after 45 s/,
    broken: (m) => (data(m, 'every-service')['DRAIN_DELAY_MS'] = '20000'),
  },
  {
    policy: 'stops-in-time',
    how: 'no preStop',
    says: /closes before/,
    broken: (m) => delete container(m).lifecycle,
  },
  {
    policy: 'topology-spread',
    how: 'nodes only',
    says: /does not spread/,
    broken: (m) => pod(m).topologySpreadConstraints?.pop(),
  },
  {
    policy: 'disruption-budget',
    how: 'none',
    says: /auth has 0 budgets/,
    broken: (m) => remove(m, find(m, 'PodDisruptionBudget', 'auth')),
  },
  {
    policy: 'disruption-budget',
    how: 'one that lets all go',
    says: /auth has 1 budgets/,
    broken: (m) => (at(find(m, 'PodDisruptionBudget', 'auth'), 'spec')['maxUnavailable'] = '100%'),
  },
  {
    policy: 'autoscaler-targets',
    how: 'a target that is not there',
    says: /does not exist/,
    broken: (m) =>
      (at(find(m, 'HorizontalPodAutoscaler', 'auth'), 'spec', 'scaleTargetRef')['name'] = 'author'),
  },
  {
    policy: 'autoscaler-targets',
    how: 'replicas set beside it',
    says: /sets replicas/,
    broken: (m) => (at(find(m, 'Deployment', 'auth'), 'spec')['replicas'] = 3),
  },
  {
    policy: 'autoscaler-targets',
    how: 'no room',
    says: /cannot scale/,
    broken: (m) => (at(find(m, 'HorizontalPodAutoscaler', 'auth'), 'spec')['maxReplicas'] = 1),
  },
  {
    policy: 'two-in-production',
    how: 'one replica',
    says: /auth may run alone/,
    broken: (m) => (at(find(m, 'HorizontalPodAutoscaler', 'auth'), 'spec')['minReplicas'] = 1),
  },
  {
    policy: 'jobs-end',
    how: 'no ttl',
    says: /migrate-auth lacks/,
    broken: (m) => delete at(find(m, 'Job', 'migrate-auth'), 'spec')['ttlSecondsAfterFinished'],
  },
  {
    policy: 'jobs-end',
    how: 'no backoff',
    says: /topics lacks/,
    broken: (m) => delete at(find(m, 'Job', 'topics'), 'spec')['backoffLimit'],
  },
  {
    policy: 'jobs-end',
    how: "no end of a CronJob's Job",
    says: /CronJob backup lacks/,
    broken: (m) =>
      delete at(find(m, 'CronJob', 'backup'), 'spec', 'jobTemplate', 'spec')['activeDeadlineSeconds'],
  },
  {
    policy: 'jobs-end',
    how: 'no limit to the Jobs a CronJob leaves',
    says: /CronJob backup lacks/,
    broken: (m) => delete at(find(m, 'CronJob', 'backup'), 'spec')['failedJobsHistoryLimit'],
  },
  {
    policy: 'cron-jobs-one-by-one',
    how: 'two at once',
    says: /CronJob backup may run twice/,
    broken: (m) => (at(find(m, 'CronJob', 'backup'), 'spec')['concurrencyPolicy'] = 'Allow'),
  },
  {
    policy: 'cron-jobs-one-by-one',
    how: 'a missed run at any time',
    says: /CronJob backup may run twice/,
    broken: (m) => delete at(find(m, 'CronJob', 'backup'), 'spec')['startingDeadlineSeconds'],
  },
  {
    policy: 'engines-as-named',
    how: 'another version',
    says: /StatefulSet mongo runs mongo:7\.0\.1/,
    overlay: 'local',
    broken: (m) => (container(m, 'StatefulSet', 'mongo').image = 'mongo:7.0.1'),
  },
]
