import { homedir } from 'node:os'
import { join } from 'node:path'

export const repoRoot = join(import.meta.dirname, '..')

/** Folder of downloaded engines: in the user's cache, so that a second clone downloads nothing. */
export const engineCache =
  process.env['SUMLOCK_ENGINES'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sumlock', 'engines')

/** `native` starts engines on this machine; `external` uses those at the addresses below. */
export const enginesMode = process.env['SUMLOCK_ENGINES_MODE'] === 'external' ? 'external' : 'native'

export const externalEngines = {
  mongoAdminUrl: process.env['SUMLOCK_MONGO_ADMIN_URL'] ?? '',
  kafkaBrokers: process.env['SUMLOCK_KAFKA_BROKERS'] ?? '',
  // A person who starts brokers also decides about their users.
  kafkaAdminPassword: '',
  redisUrl: process.env['SUMLOCK_REDIS_URL'] ?? '',
  s3Url: process.env['SUMLOCK_S3_URL'] ?? '',
  smtpUrl: process.env['SUMLOCK_SMTP_URL'] ?? '',
  inboxUrl: process.env['SUMLOCK_INBOX_URL'] ?? '',
}

const setVariables = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

/** Settings for all services of `npm start`, taken from the person's own environment. */
export const observingSettings: Readonly<Record<string, string>> = setVariables([
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'TRACE_SAMPLE_RATIO',
  'LOG_LEVEL',
])

/** Environment variable with the mark of a run, set for every process it starts. */
export const runMarkName = 'SUMLOCK_RUN'

/** Marks every process started from now on, and its own children with it. */
export function markChildren(mark: string): void {
  process.env[runMarkName] = mark
}

/** The environment of a tool that runs once: the machine's own, with its proxies and mirrors. */
export const inheritedEnvironment: NodeJS.ProcessEnv = process.env

const machineNames =
  'PATH HOME USER LANG LC_ALL TZ TMPDIR JAVA_HOME NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR'.split(' ')

/** The environment every child starts from: only machine settings, so that no setting of a service leaks in. */
export const childEnvironment = (): Record<string, string> => setVariables([...machineNames, runMarkName])

/** Holds, as JSON, the environment of each service instance that runs in one process. */
export const instancesName = 'SUMLOCK_INSTANCES'

/** The environments that `npm start -- --one-process` gave to the process of all services. */
export const readInstances = (): unknown => JSON.parse(process.env[instancesName] ?? '[]')
