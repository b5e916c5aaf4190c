import { z } from 'zod'

/** Every service, the topics job and `npm run dlq` read their connection to Kafka from these settings. */
export const kafkaEnv = {
  KAFKA_BROKERS: z.string().transform((list) => list.split(',')),
  KAFKA_TLS: z.enum(['on', 'off']).default('off'),
  /**
   * The value holds the certificates (PEM) of the authorities that sign those of the brokers. When empty, the public
   * authorities are trusted.
   */
  KAFKA_CA: z.union([z.literal(''), z.string().includes('BEGIN CERTIFICATE')]).default(''),
  KAFKA_USERNAME: z.string().default(''),
  KAFKA_PASSWORD: z.string().default(''),
  KAFKA_SASL_MECHANISM: z.enum(['scram-sha-512', 'scram-sha-256', 'plain']).default('scram-sha-512'),
}

/** `loadConfig` gives every setting a value, but other programs may set the brokers alone. */
export type KafkaSettings = Readonly<
  Pick<z.output<z.ZodObject<typeof kafkaEnv>>, 'KAFKA_BROKERS'> &
    Partial<z.output<z.ZodObject<typeof kafkaEnv>>>
>

interface Account {
  username: string
  password: string
}

/** kafkajs takes the settings in this form. */
export interface KafkaConnection {
  brokers: string[]
  ssl?: { ca?: string[] }
  sasl?:
    | ({ mechanism: 'scram-sha-512' } & Account)
    | ({ mechanism: 'scram-sha-256' } & Account)
    | ({ mechanism: 'plain' } & Account)
}

/**
 * Turns the settings into options of kafkajs. With TLS, the certificate and the name of a broker are always checked.
 */
export function kafkaConnection(settings: KafkaSettings): KafkaConnection {
  const { KAFKA_CA, KAFKA_USERNAME: username, KAFKA_PASSWORD: password = '' } = settings
  const mechanism = settings.KAFKA_SASL_MECHANISM ?? 'scram-sha-512'
  return {
    brokers: [...settings.KAFKA_BROKERS],
    ...(settings.KAFKA_TLS === 'on' ? { ssl: KAFKA_CA ? { ca: [KAFKA_CA] } : {} } : {}),
    ...(username ? { sasl: { mechanism, username, password } } : {}),
  }
}

/** Returns a sentence for each pair of settings that contradict each other. */
export function kafkaFaults(env: NodeJS.ProcessEnv): string[] {
  const hasTls = env['KAFKA_TLS'] === 'on'
  const faults: string[] = []
  if (Boolean(env['KAFKA_USERNAME']) !== Boolean(env['KAFKA_PASSWORD']))
    faults.push('KAFKA_USERNAME, KAFKA_PASSWORD: set both or none')
  if (env['KAFKA_CA'] && !hasTls) faults.push('KAFKA_CA: needs KAFKA_TLS=on')
  return faults
}
