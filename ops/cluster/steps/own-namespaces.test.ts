import { requireOwn } from './own-namespaces.ts'

/** A cluster with these namespaces that no try made. */
const clusterWith = (...others: string[]) => ({
  kubectl: jest.fn(() => Promise.resolve(others.map((name) => `namespace/${name}\n`).join(''))),
})

describe('requireOwn', () => {
  it('refuses a cluster where a namespace of the steps holds data of others', async () => {
    await expect(requireOwn(clusterWith('default', 'sumlock'), ['sumlock', 'engines'])).rejects.toThrow(
      'This cluster has a namespace sumlock that no try made.',
    )
  })

  it('accepts a cluster without them, and asks only for namespaces that no try made', async () => {
    const cluster = clusterWith('default', 'sumlock-staging')
    await requireOwn(cluster, ['sumlock', 'engines'])
    expect(cluster.kubectl).toHaveBeenCalledWith(
      'get',
      'namespaces',
      '--selector=!sumlock-try/made',
      '--output=name',
    )
  })
})
