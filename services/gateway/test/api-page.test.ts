import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '@sumlock/contracts/openapi/document'
import { serviceEnvironment, serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan } from '@sumlock/deployment/service-environment'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { createPublicApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'

const opened: { server: Server; close: () => Promise<void> }[] = []
let webRoot: string
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'sumlock-web-'))
  await writeFile(join(webRoot, 'index.html'), '<title>Calculator</title>')
})
afterAll(async () => {
  for (const { server, close } of opened) {
    server.close()
    await close()
  }
  await rm(webRoot, { recursive: true })
})

/** Starts a gateway alone: the page needs no other service. */
async function openGateway(mode: 'local' | 'test' | 'production', root = ''): Promise<string> {
  const { addresses, secrets } = await testEngines()
  const ports = Object.fromEntries(
    serviceNames.map((name) => [name, [{ public: 9, internal: 9 }]]),
  ) as unknown as PortPlan
  const env = serviceEnvironment('gateway', 0, {
    addresses,
    secrets,
    ports,
    namespace: randomNamespace(),
    mode: 'local',
    webRoot: root,
    publicOrigins: ['http://localhost'],
    logLevel: 'silent',
  })
  const production = mode === 'production' ? { COOKIE_SECURE: 'true', INSECURE_NETWORK: 'accepted' } : {}
  const ctx = await createContext(readConfig({ ...env, ...production, SUMLOCK_MODE: mode }))
  const server = createServer(createPublicApp(ctx)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  opened.push({ server, close: ctx.close })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the API page in local mode', () => {
  let gateway: string
  beforeAll(async () => {
    gateway = await openGateway('local', webRoot)
  })

  it('shows every operation with its error codes, and serves the OpenAPI document', async () => {
    const page = await (await fetch(`${gateway}/api-docs`)).text()
    const document = openApiDocument()
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { operationId } of Object.values(methods)) {
        const section = page.split(`<section id="${operationId}">`)[1]?.split('</section>')[0]
        expect(section).toContain(`<code>${path}</code>`)
        expect(section).toContain('<code>too_many_requests</code>')
      }
    }
    expect(await (await fetch(`${gateway}/api-docs/openapi.json`)).json()).toEqual(document)
  })

  it('complies with the content security policy: no script, no inline style, no external file', async () => {
    const answer = await fetch(`${gateway}/api-docs`)
    const page = await answer.text()
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i)
    const targets = [...page.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, target = '']) => target)
    const files = [...new Set(targets.filter((target) => !target.startsWith('#')))]
    expect(files.sort()).toEqual(['/api-docs/openapi.json', '/api-docs/style.css'])
    const style = await fetch(`${gateway}/api-docs/style.css`)
    expect(style.status).toBe(200)
    expect(style.headers.get('content-type')).toMatch(/^text\/css/)
    expect(await style.text()).not.toMatch(/url\(|@import/)
  })

  it('has a target for every link inside the page', async () => {
    const page = await (await fetch(`${gateway}/api-docs`)).text()
    const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map(([, anchor = '']) => anchor)
    expect(anchors.length).toBeGreaterThan(50)
    for (const anchor of new Set(anchors)) expect(page).toContain(`id="${anchor}"`)
  })
})

describe.each([
  ['in production', 'production', ''],
  ['in production with the calculator', 'production', 'web'],
  ['in tests', 'test', ''],
] as const)('the API page %s', (_title, mode, web) => {
  it.each(['', '/', '/openapi.json', '/style.css'])('does not exist: /api-docs%s', async (rest) => {
    const gateway = await openGateway(mode, web && webRoot)
    const look = async (path: string) => {
      const answer = await fetch(gateway + path)
      const headers = Object.fromEntries(answer.headers)
      for (const name of ['date', 'x-request-id', 'last-modified']) delete headers[name]
      const text = (await answer.text()).replace(/"requestId":"[^"]+"/, '')
      return { status: answer.status, headers, text }
    }
    const answer = await look(`/api-docs${rest}`)
    expect(answer).toEqual(await look(`/abc-defg${rest}`))
    expect(answer.text).not.toMatch(/operation|messages/i)
  })
})
