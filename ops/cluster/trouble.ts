/** The fields of a pod that name the cause of a fault. */
export interface PodState {
  metadata: { name: string; deletionTimestamp?: string }
  status?: {
    conditions?: Condition[]
    initContainerStatuses?: ContainerState[]
    containerStatuses?: ContainerState[]
  }
}

export interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

interface ContainerState {
  name: string
  restartCount: number
  state?: OneState
  lastState?: OneState
}

interface OneState {
  waiting?: { reason?: string; message?: string }
  terminated?: { reason?: string; exitCode: number; message?: string }
}

export interface ConditionedObject {
  metadata: { name: string; generation?: number }
  status?: { conditions?: Condition[]; observedGeneration?: number }
}

/** A container with one of these reasons does not start, however long one waits. */
const neverStarts = [
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]

/** A service may end while MongoDB is no replica set yet, and is then started again. */
const toleratedRestarts = 3

/** A pod that is ending holds its part of a node for up to 45 s, so a new one may wait for it. */
const unscheduledMs = 60_000

/** Returns why a pod cannot become ready, or undefined while it may. `now` is in milliseconds. */
export function podTrouble({ metadata, status }: PodState, now = Date.now()): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined
  const states = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  for (const { name, restartCount, state, lastState } of states) {
    const where = `pod ${metadata.name}, container ${name}`
    const ended = state?.terminated ?? lastState?.terminated
    if (ended?.reason === 'OOMKilled') return `${where}: OOMKilled, its memory limit is too small`
    const waiting = state?.waiting
    if (waiting?.reason !== undefined && neverStarts.includes(waiting.reason))
      return [`${where}: ${waiting.reason}`, waiting.message].filter(Boolean).join(', ')
    if (waiting?.reason === 'CrashLoopBackOff' && restartCount > toleratedRestarts)
      return `${where}: it ended ${restartCount} times, last with exit code ${ended?.exitCode}`
  }
  const unschedulable = conditionOf({ metadata, ...(status && { status }) }, 'PodScheduled', 'False')
  const since = Date.parse(unschedulable?.lastTransitionTime ?? '')
  if (!unschedulable || now - since < unscheduledMs) return undefined
  return `pod ${metadata.name} is not scheduled: ${unschedulable.message}`
}

/** Returns why a Job will not complete, or undefined while it may. */
export function jobTrouble(job: ConditionedObject): string | undefined {
  const failed = conditionOf(job, 'Failed', 'True')
  return failed && `job ${job.metadata.name} failed: ${failed.message}`
}

/** Returns why a rollout does not end, or undefined while it makes progress. */
export function rolloutTrouble(deployment: ConditionedObject): string | undefined {
  const { metadata, status } = deployment
  // These conditions are those of the version before.
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return undefined
  const stuck = conditionOf(deployment, 'Progressing', 'False')
  return stuck && `deployment ${metadata.name}: ${stuck.reason}, ${stuck.message}`
}

const conditionOf = ({ status }: ConditionedObject, type: string, value: string): Condition | undefined =>
  status?.conditions?.find((condition) => condition.type === type && condition.status === value)
