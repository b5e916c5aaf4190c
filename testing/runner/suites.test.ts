import { stagesOf, suitesOf } from './suites.ts'

describe('the suites', () => {
  it('have limits that sum to less than the 84 minutes of .ci/run, which is less than what CI allows', () => {
    const stages = stagesOf([...suitesOf('test', []), ...suitesOf('full', [])])
    const limits = stages.map((stage) => Math.max(...stage.map(({ limitMinutes }) => limitMinutes)))
    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThan(84)
  })

  it('run the checks beside the integration tests, and alone when asked for them alone', () => {
    const stages = stagesOf(suitesOf('test', [])).map((stage) => stage.map(({ name }) => name))
    expect(stages).toContainEqual(['integration', 'check'])
    expect(stagesOf(suitesOf('test', ['check']))).toHaveLength(1)
  })

  it('are found by name in every tier', () => {
    expect(suitesOf('test', ['full', 'guards']).map(({ name }) => name)).toEqual(['full', 'guards'])
  })
})
