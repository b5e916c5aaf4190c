import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { nginxHeaderFiles } from '../nginx-headers.ts'
import { lastStageOf } from './dockerfile.ts'

const nginx = (name: string) => readFileSync(join(repoRoot, 'ops/images/nginx', name), 'utf8')

describe('the nginx of sumlock/web', () => {
  it.each(Object.entries(nginxHeaderFiles()))(
    'sends the same headers as the gateway: %s is up to date',
    (name, text) => {
      expect(nginx(name)).toBe(text)
    },
  )

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

  it('listens on the exposed port and writes to /tmp only', () => {
    const [, port] = /listen (\d+);/.exec(nginx('nginx.conf')) ?? []
    expect(lastStageOf('ops/images/web.Dockerfile')).toContainEqual({ name: 'EXPOSE', rest: port })
    const written = [...nginx('nginx.conf').matchAll(/^\s*(?:pid|\w+_temp_path) ([^;]+);/gm)]
    expect(written).toHaveLength(6)
    for (const [, path] of written) expect(path).toMatch(/^\/tmp\//)
  })

  it('logs no addresses, cookies or query strings', () => {
    const [, format] = /log_format plain '([^']*)'/.exec(nginx('nginx.conf')) ?? []
    expect(format).toMatch(/\$status/)
    expect(format).not.toMatch(/remote_addr|cookie|http_|request_uri|\$request |args/)
  })
})
