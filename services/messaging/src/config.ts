import { limits } from '@sumlock/contracts/limits'
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

const count = z.coerce.number().int().min(1)

/** These settings limit what one person does to messages. They have these values by default, and at most in production. */
const actLimits = {
  EDITS_AND_REACTIONS_PER_DAY: limits.actsPerDay,
  UNSENDS_PER_DAY: limits.actsPerDay,
  EDITS_PER_MESSAGE: limits.editsPerMessage,
  EDITS_PER_FREE_MESSAGE: limits.freeMessageEdits,
}

const schema = commonEnv
  .extend({
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
    EDITS_AND_REACTIONS_PER_DAY: count.default(actLimits.EDITS_AND_REACTIONS_PER_DAY),
    UNSENDS_PER_DAY: count.default(actLimits.UNSENDS_PER_DAY),
    EDITS_PER_MESSAGE: count.default(actLimits.EDITS_PER_MESSAGE),
    EDITS_PER_FREE_MESSAGE: count.default(actLimits.EDITS_PER_FREE_MESSAGE),
  })
  .superRefine((env, issues) => {
    if (env.SUMLOCK_MODE !== 'production') return
    for (const [name, most] of Object.entries(actLimits))
      if (env[name as keyof typeof actLimits] > most)
        issues.addIssue({ code: 'custom', path: [name], message: `must be at most ${most} in production` })
  })

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
