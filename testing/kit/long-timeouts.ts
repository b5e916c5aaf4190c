import { everyService } from '@sumlock/deployment/every-service'
import type { StackOptions } from '@sumlock/dev/product/services'

type Environment = NonNullable<StackOptions['env']>

/** These timeouts are ten times the defaults, so that a busy machine fails no test that is not about time. */
const timeouts: Environment = {
  ...everyService({ INTERNAL_TIMEOUT_MS: '15000' }),
  gateway: {
    INTERNAL_TIMEOUT_MS: '15000',
    UPSTREAM_TIMEOUT_MS: '20000',
    UPSTREAM_QUEUE_TIMEOUT_MS: '7000',
    UPSTREAM_RETRY_WITHIN_MS: '4000',
    RATE_LIMIT_TIMEOUT_MS: '500',
  },
  messaging: {
    INTERNAL_TIMEOUT_MS: '15000',
    SEND_QUEUE_TIMEOUT_MS: '20000',
    STORE_TIMEOUT_MS: '15000',
  },
}

/** Adds time limits of ten times the defaults to an environment. Settings in `env` take precedence. */
export const longTimeouts = (env: Environment = {}): Environment =>
  Object.fromEntries(
    Object.entries(timeouts).map(([name, settings]) => [
      name,
      { ...settings, ...env[name as keyof Environment] },
    ]),
  )
