import { localPorts } from './local-ports.ts'

describe('the ports of a product', () => {
  it('are all different and keep their distance from the port of the gateway', () => {
    const usual = localPorts(4000)
    expect(usual.all).toHaveLength(20)
    expect(new Set(usual.all).size).toBe(20)
    expect(Math.min(...usual.all)).toBe(4000)
    expect(localPorts(5000).all).toEqual(usual.all.map((port) => port + 1000))
    expect(localPorts(5000).services.gateway).toEqual([{ public: 5000, internal: 5010 }])
  })

  it.each([1024, 65_455])('accept %d as the first, so that all are in the allowed range', (port) => {
    expect(localPorts(port).all).toHaveLength(20)
  })

  it.each([80, 1023, 6000, 5059, 10_000, 65_456])(
    'are refused when the first is %d, because one of them is reserved or blocked by browsers',
    (port) => {
      expect(() => localPorts(port)).toThrow(`--port ${port} cannot be used`)
      expect(() => localPorts(port)).toThrow('Try 4100.')
    },
  )
})
