import { engineVersions } from '../src/engine-versions.ts'
import { testEngines } from '@sumlock/testing/test-engines'
import { Redis } from 'ioredis'
import mongoose from 'mongoose'

const isAtLeast = (actual: string, wanted: string): boolean =>
  actual.localeCompare(wanted, 'en', { numeric: true }) >= 0

describe('the engines of the tests', () => {
  it('include Redis in the version of the table or a newer one', async () => {
    const { addresses } = await testEngines()
    const redis = new Redis(addresses.redisUrl)
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? ''
    redis.disconnect()
    expect(isAtLeast(version, engineVersions.redis.native.version)).toBe(true)
  })

  it('include MongoDB in the version of the table or a newer one, without the compressor zlib', async () => {
    const { addresses } = await testEngines()
    const connection = await mongoose.createConnection(addresses.mongoAdminUrl).asPromise()
    try {
      const admin = connection.getClient().db('admin')
      const { version } = await admin.command({ buildInfo: 1 })
      expect(isAtLeast(String(version), engineVersions.mongo.native.version)).toBe(true)
      const { compression } = await admin.command({ hello: 1, compression: ['zlib', 'zstd'] })
      expect(compression).toEqual(['zstd'])
    } finally {
      await connection.close()
    }
  })
})
