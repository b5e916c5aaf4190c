import {
  commonEnv,
  hexKey,
  jsonEnv,
  loadConfig,
  milliseconds,
  replicaUrls,
} from '@sumlock/service-kit/config'
import { kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { s3Env } from '@sumlock/service-kit/s3-settings'
import { z } from 'zod'

const bytes = z.coerce.number().int().min(1)

const schema = commonEnv.extend({
  MONGO_URL: z.string().startsWith('mongodb'),
  ...kafkaEnv,
  REDIS_URL: z.string().startsWith('redis'),
  ...s3Env,
  AUTH_INTERNAL_URL: replicaUrls,
  BILLING_INTERNAL_URL: replicaUrls,
  /** Keys of the texts that are attached to reports: the first for new ones, the others to open older ones. */
  REPORT_KEYS: jsonEnv(z.array(z.object({ id: z.string().min(1).max(32), secret: hexKey })).min(1)),
  /** Origins of the web client. An upload's address has the first when the browser used a name that is not listed. */
  PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
  /** A send may queue behind others of its conversation for as long as the gateway waits for the answer. */
  SEND_QUEUE_TIMEOUT_MS: milliseconds.default(2000),
  /** The most time that a send looks for a free seq of its conversation. */
  STORE_TIMEOUT_MS: milliseconds.default(1500),
  /** The bytes of media that a person may keep in the bucket, without and with premium. */
  STORAGE_FREE_BYTES: bytes.default(2_000_000_000),
  STORAGE_PREMIUM_BYTES: bytes.default(20_000_000_000),
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
