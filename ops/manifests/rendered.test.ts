import { readState, renderedHash } from './overlays.ts'

describe('k8s/rendered', () => {
  it('was rendered from the manifests as they are now (after a change: npm run k8s:render)', () => {
    expect(readState().rendered).toBe(renderedHash())
  })
})
