import { allProbes, edgeOf, judgeProbes } from './probe-plan.ts'
import type { ProbeAnswer } from './probe-plan.ts'

const probes = allProbes(
  ['gateway', 'web'],
  [
    { name: 'gateway', address: '10.0.0.1', ports: [8080] },
    { name: 'auth', address: '10.0.0.2', ports: [8080, 8081] },
  ],
)
const allowed = ['gateway → auth:8080', 'gateway → auth:8081']
const answers = (more: Record<string, ProbeAnswer | undefined> = {}) => {
  const right = probes.map(edgeOf).map((edge) => [edge, allowed.includes(edge) ? 'open' : 'timeout'] as const)
  const all = Object.entries({ ...Object.fromEntries(right), ...more })
  return new Map(all.filter((one): one is [string, ProbeAnswer] => one[1] !== undefined))
}

it('probes every port of every other workload', () => {
  expect(probes.map(edgeOf)).toEqual([
    'gateway → auth:8080',
    'gateway → auth:8081',
    'web → gateway:8080',
    'web → auth:8080',
    'web → auth:8081',
  ])
})

describe('judgeProbes', () => {
  it('counts the connections when they are as allowed', () => {
    expect(judgeProbes(probes, answers(), allowed)).toEqual({ open: 2, closed: 3, faults: [] })
  })

  it.each<[string, Record<string, ProbeAnswer | undefined>]>([
    ['web → auth:8081 is open and must be closed', { 'web → auth:8081': 'open' }],
    ['gateway → auth:8080 is closed (refused)', { 'gateway → auth:8080': 'refused' }],
    ['web → auth:8080 was not probed', { 'web → auth:8080': undefined }],
  ])('reports: %s', (fault, more) => {
    expect(judgeProbes(probes, answers(more), allowed).faults).toEqual([fault])
  })

  it('reports an allowed connection that no probe tries', () => {
    const more = [...allowed, 'seed → gateway:8080']
    expect(judgeProbes(probes, answers(), more).faults).toEqual(['seed → gateway:8080 has no probe'])
  })
})
