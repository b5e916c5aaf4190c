import { jobTrouble, podTrouble, rolloutTrouble } from './trouble.ts'

const podWith = (containerStatuses: object[], more: object = {}) =>
  podTrouble({ metadata: { name: 'auth-1' }, status: { containerStatuses, ...more } } as never)

describe('podTrouble', () => {
  it('names a container that used more memory than its limit', () => {
    const lastState = { terminated: { reason: 'OOMKilled', exitCode: 137 } }
    expect(podWith([{ name: 'auth', restartCount: 1, lastState }])).toBe(
      'pod auth-1, container auth: OOMKilled, its memory limit is too small',
    )
  })

  it('names an image that the node does not have', () => {
    const state = { waiting: { reason: 'ErrImageNeverPull', message: 'auth:9 is not present' } }
    expect(podWith([{ name: 'auth', restartCount: 0, state }])).toBe(
      'pod auth-1, container auth: ErrImageNeverPull, auth:9 is not present',
    )
  })

  it.each([
    [3, undefined],
    [4, 'pod auth-1, container auth: it ended 4 times, last with exit code 1'],
  ])('answers a container that ended %d times with %s', (restartCount, trouble) => {
    const state = { waiting: { reason: 'CrashLoopBackOff' } }
    const lastState = { terminated: { reason: 'Error', exitCode: 1 } }
    expect(podWith([{ name: 'auth', restartCount, state, lastState }])).toBe(trouble)
  })

  it.each([
    [59, undefined],
    [60, 'pod auth-1 is not scheduled: 1 Insufficient cpu.'],
  ])('answers a pod that has waited for a node for %d seconds with %s', (seconds, trouble) => {
    const metadata = { name: 'auth-1' }
    const lastTransitionTime = '2026-01-01T00:00:00Z'
    const message = '1 Insufficient cpu.'
    const conditions = [{ type: 'PodScheduled', status: 'False', message, lastTransitionTime }]
    const now = Date.parse(lastTransitionTime) + seconds * 1000
    expect(podTrouble({ metadata, status: { conditions } }, now)).toBe(trouble)
  })

  it('accepts a pod that is being deleted, whatever its state', () => {
    const state = { terminated: { reason: 'OOMKilled', exitCode: 137 } }
    const metadata = { name: 'auth-1', deletionTimestamp: '2026-01-01T00:00:00Z' }
    const containerStatuses = [{ name: 'auth', restartCount: 0, state }]
    expect(podTrouble({ metadata, status: { containerStatuses } })).toBeUndefined()
  })
})

const object = (type: string, status: string, reason: string, message: string) => ({
  metadata: { name: 'restore' },
  status: { conditions: [{ type, status, reason, message }] },
})

it('names a failed Job and its reason', () => {
  const failed = object('Failed', 'True', 'BackoffLimitExceeded', 'Job has reached the limit')
  expect(jobTrouble(failed)).toBe('job restore failed: Job has reached the limit')
})

it('accepts a Job that is complete', () => {
  expect(jobTrouble(object('Complete', 'True', 'CompletionsReached', 'Reached'))).toBeUndefined()
})

it('names a rollout that makes no progress', () => {
  const stuck = object('Progressing', 'False', 'ProgressDeadlineExceeded', 'ReplicaSet has timed out')
  expect(rolloutTrouble(stuck)).toBe('deployment restore: ProgressDeadlineExceeded, ReplicaSet has timed out')
})

it('accepts a rollout whose newest version was not looked at yet', () => {
  const stuck = object('Progressing', 'False', 'ProgressDeadlineExceeded', 'ReplicaSet has timed out')
  const metadata = { ...stuck.metadata, generation: 2 }
  expect(rolloutTrouble({ metadata, status: { ...stuck.status, observedGeneration: 1 } })).toBeUndefined()
})
