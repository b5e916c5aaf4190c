import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'

export interface Bases {
  node: string
  nginx: string
}

const name = 'sumlock-bases/all:1'
const packages = ['ca-certificates', 'libstdc++6', 'libatomic1', 'nginx-light', 'busybox-static']

/**
 * One image to stand in for the node and the nginx one: Debian's smallest system, its nginx, this machine's Node and npm.
 * Needs root and debootstrap (apt-get install debootstrap). Made once; removing it is `docker rmi sumlock-bases/all:1`.
 */
export async function makeLocalBases(progress: Progress): Promise<Bases> {
  const there = await run('docker', ['image', 'inspect', name]).then(
    () => true,
    () => false,
  )
  if (!there) await step(progress, 'Making a base image from Debian’s packages', makeImage)
  return { node: name, nginx: name }
}

async function makeImage(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'sumlock-base-'))
  try {
    await run('debootstrap', ['--variant=minbase', `--include=${packages.join(',')}`, 'bookworm', root])
    const local = join(root, 'usr/local')
    await cp(realpathSync(process.execPath), join(local, 'bin/node'))
    const npm = (await run('sh', ['-c', 'command -v npm'])).trim()
    await mkdir(join(local, 'lib/node_modules'), { recursive: true })
    await cp(dirname(dirname(realpathSync(npm))), join(local, 'lib/node_modules/npm'), { recursive: true })
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
    await symlink('/bin/busybox', join(root, 'usr/bin/wget'))
    // What this machine trusts, so that a build inside reaches the registry as one outside does.
    const trusted = '/etc/ssl/certs/ca-certificates.crt'
    await cp(trusted, join(root, trusted))
    const archive = `${root}.tar`
    await run('tar', ['-C', root, '-cf', archive, '.'])
    await run('docker', ['import', '-c', `ENV NODE_EXTRA_CA_CERTS=${trusted}`, archive, name])
    await rm(archive)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
