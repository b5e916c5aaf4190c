import { databaseUrl } from '@sumlock/stack/provision'
import { provision, unprovision } from '@sumlock/stack/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/engines'
import mongoose from 'mongoose'

describe('a provisioned namespace', () => {
  it('gives each service a user that reads its own database and no other', async () => {
    const { addresses, secrets } = await testEngines()
    const namespace = randomNamespace()
    await provision(addresses, secrets, namespace)
    const url = databaseUrl(addresses, secrets, namespace, 'billing')
    const connection = await mongoose.createConnection(url).asPromise()
    try {
      const client = connection.getClient()
      await client.db(`${namespace}_billing`).collection('x').insertOne({ a: 1 })
      expect(await client.db(`${namespace}_billing`).collection('x').countDocuments()).toBe(1)
      const foreign = client.db(`${namespace}_auth`).collection('x').findOne({})
      await expect(foreign).rejects.toMatchObject({ codeName: 'Unauthorized' })
    } finally {
      await connection.close()
      await unprovision(addresses, namespace)
    }
  })
})
