import { homedir } from 'node:os'
import { join } from 'node:path'

export const repoRoot = join(import.meta.dirname, '..')

/** Engines are downloaded into the user's cache, so that a second clone of the repository downloads nothing. */
export const engineCache =
  process.env['SUMLOCK_ENGINES'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sumlock', 'engines')

/** `native` starts engines on this machine; `external` uses those at the addresses below. */
export const enginesMode = process.env['SUMLOCK_ENGINES_MODE'] === 'external' ? 'external' : 'native'

const s3Stores = ['s3proxy', 'versitygw'] as const

/** The native S3 store can be named; otherwise `createS3` chooses one. */
export const chosenS3Store = s3Stores.find((store) => store === process.env['SUMLOCK_S3_STORE'])

export const externalEngines = {
  mongoAdminUrl: process.env['SUMLOCK_MONGO_ADMIN_URL'] ?? '',
  kafkaBrokers: process.env['SUMLOCK_KAFKA_BROKERS'] ?? '',
  // The person who starts external brokers also creates their users.
  kafkaAdminPassword: '',
  redisUrl: process.env['SUMLOCK_REDIS_URL'] ?? '',
  s3Url: process.env['SUMLOCK_S3_URL'] ?? '',
  smtpUrl: process.env['SUMLOCK_SMTP_URL'] ?? '',
  inboxUrl: process.env['SUMLOCK_INBOX_URL'] ?? '',
}

const setVariables = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

/** `npm start` passes these settings from the person's environment on to all services. */
export const observingSettings: Readonly<Record<string, string>> = setVariables([
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'TRACE_SAMPLE_RATIO',
  'LOG_LEVEL',
])

/** Every process of a run has the run's mark in this environment variable. */
export const runMarkName = 'SUMLOCK_RUN'

/** Sets the mark that every process started later inherits, with its own children. */
export function markChildren(mark: string): void {
  process.env[runMarkName] = mark
}

/** A tool that runs once inherits the whole environment, because it may need proxies and mirrors. */
export const inheritedEnvironment: NodeJS.ProcessEnv = process.env

const machineNames =
  'PATH HOME USER LANG LC_ALL TZ TMPDIR JAVA_HOME NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR'.split(' ')

/**
 * Returns the environment from which every child starts. It has only settings of the machine, so that a setting of
 * one service does not reach another.
 */
export const childEnvironment = (): Record<string, string> => setVariables([...machineNames, runMarkName])

/** Holds, as JSON, the environment of each service instance that runs in one process. */
export const instancesName = 'SUMLOCK_INSTANCES'

/** Returns the environments of all services, which `npm start -- --one-process` passed to this process. */
export const readInstances = (): unknown => JSON.parse(process.env[instancesName] ?? '[]')
