import { jest } from '@jest/globals'
import { createTargets } from './bulkhead.ts'
import { resolveReplicas } from './resolve-replicas.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** A resolver over made-up DNS records; a name without a record fails. */
function startResolver(urls: readonly string[], records: Record<string, readonly string[]>) {
  const targets = createTargets(urls)
  const asked: string[] = []
  const warnings: unknown[] = []
  let pruned = 0
  const resolver = resolveReplicas({
    urls,
    upstream: { targets, agent: { prune: () => (pruned += 1) } as never },
    logger: { info: () => undefined, warn: (fields: unknown) => warnings.push(fields) } as never,
    lookup: (hostname) => {
      asked.push(hostname)
      const addresses = records[hostname]
      return addresses ? Promise.resolve(addresses) : Promise.reject(new Error(`no record of ${hostname}`))
    },
  })
  const replicas = () => [...targets.inOrder()].sort()
  return { replicas, asked, warnings, resolver, pruned: () => pruned }
}

describe('the replicas of an upstream', () => {
  it('are all addresses of its name, looked up now and every five seconds', async () => {
    const records = { auth: ['10.0.0.2', '10.0.0.1'] }
    const { replicas, asked, resolver } = startResolver(['http://auth:8080'], records)
    await jest.advanceTimersByTimeAsync(0)
    expect(replicas()).toEqual(['http://10.0.0.1:8080', 'http://10.0.0.2:8080'])
    records.auth = ['10.0.0.2', '10.0.0.3']
    await jest.advanceTimersByTimeAsync(4999)
    expect(asked).toEqual(['auth'])
    await jest.advanceTimersByTimeAsync(1)
    expect(replicas()).toEqual(['http://10.0.0.2:8080', 'http://10.0.0.3:8080'])
    await resolver.stop()
  })

  it('stay the last ones while the lookup fails or answers nothing', async () => {
    const records: Record<string, readonly string[]> = { auth: ['10.0.0.1'] }
    const { replicas, warnings, resolver } = startResolver(['http://auth:8080'], records)
    await jest.advanceTimersByTimeAsync(0)
    delete records['auth']
    await jest.advanceTimersByTimeAsync(5000)
    expect(replicas()).toEqual(['http://10.0.0.1:8080'])
    records['auth'] = []
    await jest.advanceTimersByTimeAsync(5000)
    expect(replicas()).toEqual(['http://10.0.0.1:8080'])
    expect(warnings).toHaveLength(2)
    records['auth'] = ['10.0.0.9']
    await jest.advanceTimersByTimeAsync(5000)
    expect(replicas()).toEqual(['http://10.0.0.9:8080'])
    await resolver.stop()
  })

  it('are the name itself until the first lookup succeeds', async () => {
    const { replicas, resolver } = startResolver(['http://auth:8080'], {})
    await jest.advanceTimersByTimeAsync(0)
    expect(replicas()).toEqual(['http://auth:8080'])
    await resolver.stop()
  })

  it('are the addresses of the setting as they stand, without a lookup', async () => {
    const urls = ['http://127.0.0.1:4001', 'http://127.0.0.1:4002']
    const { replicas, asked, pruned, resolver } = startResolver(urls, {})
    await jest.advanceTimersByTimeAsync(0)
    expect(replicas()).toEqual(urls)
    expect(asked).toEqual([])
    expect(pruned()).toBe(0)
    await resolver.stop()
  })

  it('keep those of a name that fails while another name of the setting changes', async () => {
    const records: Record<string, readonly string[]> = { a: ['10.0.0.1'], b: ['10.0.0.2'] }
    const { replicas, resolver } = startResolver(['http://a:80', 'http://b:80'], records)
    await jest.advanceTimersByTimeAsync(0)
    delete records['a']
    records['b'] = ['10.0.0.3']
    await jest.advanceTimersByTimeAsync(5000)
    expect(replicas()).toEqual(['http://10.0.0.1:80', 'http://10.0.0.3:80'])
    await resolver.stop()
  })

  it('lose their idle connections when the list changes, and only then', async () => {
    const records = { auth: ['10.0.0.1', '10.0.0.2'] }
    const { pruned, resolver } = startResolver(['http://auth:8080'], records)
    await jest.advanceTimersByTimeAsync(0)
    expect(pruned()).toBe(1)
    records.auth = ['10.0.0.2', '10.0.0.1']
    await jest.advanceTimersByTimeAsync(5000)
    expect(pruned()).toBe(1)
    await resolver.stop()
  })
})
