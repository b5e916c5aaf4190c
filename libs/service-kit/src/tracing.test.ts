import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runFor } from './request-context.ts'
import { sampled } from './tracing.ts'
import type { Span } from './tracing.ts'

const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const recorded: Span = { traceparent: parent, end: () => undefined }
const start = sampled(0, () => recorded)

it('samples by ratio at the edge, with and without a traceparent in the request', () => {
  expect(start('request', { isEdge: true }).traceparent).toBeUndefined()
  expect(start('request', { isEdge: true, parent }).traceparent).toBeUndefined()
  expect(sampled(1, () => recorded)('request', { isEdge: true }).traceparent).toBe(parent)
})

it('records a span behind the edge exactly if its parent is recorded', () => {
  expect(start('query').traceparent).toBeUndefined()
  expect(start('query', { parent }).traceparent).toBe(parent)
  expect(runFor({ requestId: 'request-1', traceparent: parent }, () => start('query')).traceparent).toBe(
    parent,
  )
  expect(runFor({ requestId: 'request-1' }, () => start('query')).traceparent).toBeUndefined()
})

it('loads the SDK only when there is somewhere to send spans', async () => {
  const loaded = async (endpoint: string) => {
    const program = `
      import { registerHooks } from 'node:module'
      const seen = new Set()
      registerHooks({ load(url, context, next) {
        const name = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url)?.[1]
        if (name) seen.add(name)
        return next(url, context)
      } })
      for (const service of ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime'])
        await import('./services/' + service + '/src/context.ts')
      const { startServiceTracing } = await import('./libs/service-kit/src/service-tracing.ts')
      const config = { OTEL_EXPORTER_OTLP_ENDPOINT: '${endpoint}', TRACE_SAMPLE_RATIO: 1, INSTANCE: 's-1' }
      await startServiceTracing(config, console, 's')
      process.stdout.write(JSON.stringify([...seen]))
      process.exit()`
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: join(import.meta.dirname, '../../..'),
    })
    return JSON.parse(stdout) as string[]
  }
  // prom-client brings the interfaces package, which records nothing.
  expect(await loaded('')).toEqual(['@opentelemetry/api'])
  expect(await loaded('http://127.0.0.1:9')).toContain('@opentelemetry/sdk-trace')
})
