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
  /**
   * The first key seals the texts that are attached to new reports. The other keys only open the texts of older reports.
   */
  REPORT_KEYS: jsonEnv(z.array(z.object({ id: z.string().min(1).max(32), secret: hexKey })).min(1)),
  /**
   * An upload's address begins with the origin that the browser called or, if that is not listed, with the first of these.
   */
  PUBLIC_ORIGINS: z.string().transform((list) => list.split(',').map((origin) => origin.trim())),
  /** A send may wait this long behind other sends of its conversation. The gateway waits as long for the answer. */
  SEND_QUEUE_TIMEOUT_MS: milliseconds.default(2000),
  /** A send that could not be stored within this time throws `unavailable`. */
  STORE_TIMEOUT_MS: milliseconds.default(1500),
  /** A person may store at most this many bytes of media, without and with premium. */
  STORAGE_FREE_BYTES: bytes.default(2_000_000_000),
  STORAGE_PREMIUM_BYTES: bytes.default(20_000_000_000),
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
