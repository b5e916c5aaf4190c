import { differences } from './machine-state.ts'

describe('the comparison of a machine before and after a try', () => {
  const before = { links: ['lo', 'eth0'], mounts: ['proc', 'proc'] }

  it('finds nothing where only the order differs', () => {
    expect(differences(before, { links: ['eth0', 'lo'], mounts: ['proc', 'proc'] })).toEqual([])
  })

  it('names what was added and what is gone', () => {
    const after = { links: ['lo', 'pods'], mounts: ['proc', 'proc'] }
    expect(differences(before, after)).toEqual(['The links changed:\n    - eth0\n    + pods'])
  })

  it('counts equal entries', () => {
    const after = { links: ['lo', 'eth0'], mounts: ['proc', 'proc', 'proc'] }
    expect(differences(before, after)).toEqual(['The mounts changed:\n    + proc'])
  })
})
