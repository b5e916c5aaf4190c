import { homedir } from 'node:os'
import { join } from 'node:path'

/** Root of the checkout. */
export const repoRoot = join(import.meta.dirname, '..')

/** Where downloaded engines live: in the person's cache, so that a second clone downloads nothing. */
export const engineCache =
  process.env['SUMLOCK_ENGINES'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sumlock', 'engines')

/** `native` starts engines; `external` uses the addresses below. */
export const enginesMode = process.env['SUMLOCK_ENGINES_MODE'] === 'external' ? 'external' : 'native'

/** Addresses of engines somebody else runs (mode `external`). */
export const externalEngines = {
  mongoAdminUrl: process.env['SUMLOCK_MONGO_ADMIN_URL'] ?? '',
  kafkaBrokers: process.env['SUMLOCK_KAFKA_BROKERS'] ?? '',
  redisUrl: process.env['SUMLOCK_REDIS_URL'] ?? '',
  smtpUrl: process.env['SUMLOCK_SMTP_URL'] ?? '',
  inboxUrl: process.env['SUMLOCK_INBOX_URL'] ?? '',
}

const machineNames = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'JAVA_HOME'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
]

const observing = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'TRACE_SAMPLE_RATIO', 'LOG_LEVEL']

/** What a person may say about all services of `npm start` in their own environment. */
export const observingSettings: Readonly<Record<string, string>> = Object.fromEntries(
  observing.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
)

/** Carries the mark of a run in the environment of everything it starts. */
export const runMarkName = 'SUMLOCK_RUN'
let runMark: string | undefined

/** Every child started from now on carries this mark, and so do its own children. */
export function markChildren(mark: string): void {
  runMark = mark
}

/** The environment of a program that runs for us once, with the settings this machine has for it (proxies, mirrors). */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...(runMark === undefined ? {} : { [runMarkName]: runMark }),
})

/** The environment a child starts from: what the machine needs, and nothing that could set up a service by accident. */
export const childEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    machineNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  ),
  ...(runMark === undefined ? {} : { [runMarkName]: runMark }),
})
