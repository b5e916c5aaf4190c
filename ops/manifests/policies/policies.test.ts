import { overlays, renderOverlay } from '../overlays.ts'
import { policies } from './all-policies.ts'
import { networkBreakages } from './breakages/network.ts'
import { podSecurityBreakages } from './breakages/pod-security.ts'
import { runningBreakages } from './breakages/running.ts'
import { settingsBreakages } from './breakages/settings.ts'

const breakages = [...podSecurityBreakages, ...runningBreakages, ...settingsBreakages, ...networkBreakages]
const rendered = { local: renderOverlay('local'), production: renderOverlay('production') }

const policy = (id: string) => {
  const found = policies.find((one) => one.id === id)
  if (!found) throw new Error(`There is no policy ${id}. Correct the test.`)
  return found
}

describe.each(overlays)('overlay %s', (overlay) => {
  it.each(policies)('$says ($id)', ({ check }) => {
    expect(check(rendered[overlay], overlay)).toEqual([])
  })
})

describe('a policy refuses', () => {
  it.each(breakages)('$policy: $how', ({ policy: id, says, overlay = 'production', broken }) => {
    const manifests = structuredClone(rendered[overlay])
    broken(manifests)
    expect(policy(id).check(manifests, overlay)).toContainEqual(expect.stringMatching(says))
  })

  it('something, each of them', () => {
    expect(policies.map(({ id }) => id).filter((id) => !breakages.some((one) => one.policy === id))).toEqual(
      [],
    )
  })
})
