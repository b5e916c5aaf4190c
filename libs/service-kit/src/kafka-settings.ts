import { z } from 'zod'

/** The settings of a connection to Kafka: every service, the topics job and `npm run dlq` use the same names. */
export const kafkaEnv = {
  KAFKA_BROKERS: z.string().transform((list) => list.split(',')),
  KAFKA_TLS: z.enum(['on', 'off']).default('off'),
  /** The authorities that sign the brokers' certificates, as PEM; the public ones when empty. */
  KAFKA_CA: z.union([z.literal(''), z.string().includes('BEGIN CERTIFICATE')]).default(''),
  KAFKA_USERNAME: z.string().default(''),
  KAFKA_PASSWORD: z.string().default(''),
  KAFKA_SASL_MECHANISM: z.enum(['scram-sha-512', 'scram-sha-256', 'plain']).default('scram-sha-512'),
}

/** `loadConfig` completes every setting, but other programs may set only the brokers. */
export type KafkaSettings = Readonly<
  Pick<z.output<z.ZodObject<typeof kafkaEnv>>, 'KAFKA_BROKERS'> &
    Partial<z.output<z.ZodObject<typeof kafkaEnv>>>
>

interface Account {
  username: string
  password: string
}

/** The settings in the form of the client library. */
export interface KafkaConnection {
  brokers: string[]
  ssl?: { ca?: string[] }
  sasl?:
    | ({ mechanism: 'scram-sha-512' } & Account)
    | ({ mechanism: 'scram-sha-256' } & Account)
    | ({ mechanism: 'plain' } & Account)
}

/** With TLS, the certificate and the name of a broker are always checked. */
export function kafkaConnection(settings: KafkaSettings): KafkaConnection {
  const { KAFKA_CA, KAFKA_USERNAME: username, KAFKA_PASSWORD: password = '' } = settings
  const mechanism = settings.KAFKA_SASL_MECHANISM ?? 'scram-sha-512'
  return {
    brokers: [...settings.KAFKA_BROKERS],
    ...(settings.KAFKA_TLS === 'on' ? { ssl: KAFKA_CA ? { ca: [KAFKA_CA] } : {} } : {}),
    ...(username ? { sasl: { mechanism, username, password } } : {}),
  }
}

/** The faults of settings that contradict each other. */
export function kafkaFaults(env: NodeJS.ProcessEnv): string[] {
  const hasTls = env['KAFKA_TLS'] === 'on'
  const faults: string[] = []
  if (Boolean(env['KAFKA_USERNAME']) !== Boolean(env['KAFKA_PASSWORD']))
    faults.push('KAFKA_USERNAME, KAFKA_PASSWORD: set both or none')
  if (env['KAFKA_CA'] && !hasTls) faults.push('KAFKA_CA: needs KAFKA_TLS=on')
  return faults
}
