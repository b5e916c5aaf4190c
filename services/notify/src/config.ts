import { commonEnv, hexKey, jsonEnv, loadConfig } from '@sumlock/service-kit/config'
import { z } from 'zod'

const schema = commonEnv.extend({
  MONGO_URL: z.string().startsWith('mongodb'),
  KAFKA_BROKERS: z.string().transform((list) => list.split(',')),
  /** Keys of sealed notices by id: the present one and, during a rotation, the one before. */
  NOTICE_KEYS: jsonEnv(z.record(z.string(), hexKey)),
  SMTP_URL: z.string().startsWith('smtp'),
  MAIL_FROM: z.string().default('Calculator <no-reply@calculator.local>'),
  /** How SMS are sent. `mail-inbox` sends them as mail to `<phone>@sms.local`. */
  SMS_VIA: z.enum(['mail-inbox']),
})

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
