import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { securityHeaders } from '@sumlock/service-kit/security-headers'
import { connectionsPerAddress } from '../../../services/gateway/src/connections.ts'
import { composeText, readCompose } from './compose-file.ts'
import { lastStageOf } from './dockerfile.ts'

const nginx = (name: string) => readFileSync(join(repoRoot, 'ops/images/nginx', name), 'utf8')
/** The lines of a file that are not comments, trimmed. */
const directivesOf = (name: string) =>
  nginx(name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** The format of the log, of which nginx joins the parts. */
const logFormat = () => {
  const [, parts = ''] = /log_format json escape=json([^;]*);/.exec(nginx('nginx.conf')) ?? []
  return [...parts.matchAll(/'([^']*)'/g)].map(([, part]) => part).join('')
}

const tlsOnly = Object.entries(securityHeaders({ secure: true })).filter(
  ([name]) => !(name in securityHeaders({ secure: false })),
)
const variableOf = (name: string) => `$${name.replaceAll('-', '_')}`

describe('the nginx of sumlock/web', () => {
  it('sends the same headers as the gateway', () => {
    const sent = Object.entries(securityHeaders({ secure: false })).map(
      ([name, value]) => `add_header ${name} "${value}" always;`,
    )
    // nginx would interpret these characters.
    for (const value of Object.values(securityHeaders({ secure: true }))) expect(value).not.toMatch(/["\\$]/)
    const overTls = tlsOnly.map(([name]) => `add_header ${name} ${variableOf(name)} always;`)
    expect(directivesOf('security-headers.conf')).toEqual([...sent, ...overTls])
  })

  it('gives the headers for TLS a value only when the ingress terminated TLS, as nginx omits empty ones', () => {
    const maps = tlsOnly.map(
      ([name, value]) => `map $http_x_forwarded_proto ${variableOf(name)} { default ""; https "${value}"; }`,
    )
    expect(directivesOf('secure.conf').join(' ')).toBe(maps.join(' '))
  })

  it.each(['nginx.conf', 'compose-upstreams.conf'])(
    'includes the security headers in every location of %s that answers itself',
    (name) => {
      const blocks = nginx(name)
        .split(/\n\s*location /)
        .slice(1)
        .map((block) => `${block.split(/\n\s*}/)[0]}`)
      const own = blocks.filter((block) => !/proxy_pass|^= \/healthz/.test(block))
      expect(own.length).toBeGreaterThan(0)
      for (const block of own) expect(block).toContain('include /etc/nginx/sumlock/security-headers.conf;')
    },
  )

  it('forbids caching the page and allows caching hashed assets', () => {
    const [, page] = nginx('nginx.conf').split('location / {')
    expect(page).toContain('add_header cache-control "no-store" always;')
    const [, assets] = nginx('nginx.conf').split('location /assets/ {')
    expect(assets?.split('}')[0]).toContain('immutable')
  })

  it('makes browsers revalidate the service worker', () => {
    const [, unhashed] = nginx('nginx.conf').split(String.raw`location ~ \.[A-Za-z0-9]+$ {`)
    expect(unhashed?.split('}')[0]).toContain('add_header cache-control "no-cache" always;')
  })

  it('answers for what it does not have with the text of the gateway, and with no page of its own', () => {
    expect(nginx('nginx.conf')).toContain('error_page 403 404 405 =404 @missing;')
    const [, missing] = nginx('nginx.conf').split('location @missing {')
    expect(missing?.split('\n    }')[0]).toContain('return 404 "Not Found";')
  })

  it('listens on the exposed port and writes to /tmp only', () => {
    const [, port] = /listen (\d+);/.exec(nginx('nginx.conf')) ?? []
    expect(lastStageOf('ops/images/web.Dockerfile')).toContainEqual({ name: 'EXPOSE', rest: port })
    const written = [...nginx('nginx.conf').matchAll(/^\s*(?:pid|\w+_temp_path) ([^;]+);/gm)]
    expect(written).toHaveLength(6)
    for (const [, path] of written) expect(path).toMatch(/^\/tmp\//)
  })

  it('allows an address as many connections as the gateway does where it is the edge', () => {
    const [, zone] = /limit_conn_zone \$binary_remote_addr zone=(\w+):\d+m;/.exec(nginx('nginx.conf')) ?? []
    expect(directivesOf('nginx.conf')).toContain('limit_conn_status 429;')
    expect(directivesOf('compose-upstreams.conf')).toContain(`limit_conn ${zone} ${connectionsPerAddress};`)
  })

  it('takes the address of a person from the last proxy behind one for TLS, and from the connection elsewhere', () => {
    expect(directivesOf('behind-proxy-off.conf')).toEqual([])
    const [header] = directivesOf('behind-proxy-on.conf').filter((one) => !one.startsWith('set_real_ip_from'))
    expect(header).toBe('real_ip_header X-Forwarded-For;')
    expect(directivesOf('compose-upstreams.conf')).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    const files = readCompose().services['web']?.volumes?.map((volume) => volume.split(':')[0])
    expect(files).toContain('./ops/images/nginx/behind-proxy-off.conf')
    expect(composeText()).toContain('behind-proxy-${BEHIND_PROXY:-off}.conf')
  })

  it('logs each request as one line of JSON', () => {
    const numbers = /\$(status|body_bytes_sent|request_time)\b/g
    expect(JSON.parse(logFormat().replace(numbers, '1'))).toMatchObject({ service: 'web', status: 1 })
    expect(nginx('nginx.conf')).toContain('access_log /dev/stdout json;')
  })

  it('logs no addresses, cookies or query strings', () => {
    const format = logFormat()
    expect(format).toMatch(/\$status/)
    expect(format).not.toMatch(/remote_addr|cookie|http_|request_uri|\$request |args/)
  })
})
