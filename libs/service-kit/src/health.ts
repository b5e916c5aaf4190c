import type { Express } from 'express'
import { createHttpApp } from './http-app.ts'
import type { HttpAppOptions } from './http-app.ts'

export type ReadinessCheck = () => Promise<void> | void

export interface Health {
  /** Each check throws while a required dependency is missing. */
  checks: Record<string, ReadinessCheck>
  /** True from SIGTERM on: the service is no longer ready, but still answers requests. */
  draining: boolean
}

const checkMs = 1500

async function failures(health: Health): Promise<Record<string, string>> {
  const results = await Promise.all(
    Object.entries(health.checks).map(async ([name, check]) => {
      try {
        await Promise.race([
          Promise.resolve(check()),
          new Promise((_, reject) =>
            setTimeout(() => reject(new Error('did not answer in time')), checkMs).unref(),
          ),
        ])
        return []
      } catch (error) {
        return [[name, error instanceof Error ? error.message : String(error)] as const]
      }
    }),
  )
  return Object.fromEntries(results.flat())
}

/**
 * Returns the app of the internal port. `/livez` answers while the event loop runs, `/readyz` while the service's own
 * dependencies answer, and `/metrics` returns the metrics.
 */
export function createInternalHttpApp(ctx: HttpAppOptions & { health: Health }): Express {
  const { health, metrics } = ctx
  const app = createHttpApp(ctx)
  app.get('/livez', (_request, response) => {
    response.json({ ok: true })
  })
  app.get('/readyz', async (_request, response) => {
    const failing = health.draining ? { draining: 'stopping' } : await failures(health)
    const ok = Object.keys(failing).length === 0
    response.status(ok ? 200 : 503).json({ ok, failing })
  })
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  return app
}
