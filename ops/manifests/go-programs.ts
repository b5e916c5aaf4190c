import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { engineCache } from '@sumlock/dev/config'
import { cached } from '@sumlock/dev/engines/fetch-engine'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'

export interface GoProgram {
  name: string
  version: string
  /** The program's main package has this import path; `.` with a main package of our own. */
  package: string
  /** The program is part of this module, written as in a go.mod: `path version`. */
  module: string
  linkerFlags?: string
  tags?: readonly string[]
  /** The text of a main package of our own, for a program that is put together from a module. */
  main?: string
}

export const kubernetesVersion = '1.35.4'
const etcdVersion = '3.6.16'

const inKubernetes = {
  version: kubernetesVersion,
  module: `k8s.io/kubernetes v${kubernetesVersion}`,
  linkerFlags: `-X k8s.io/component-base/version.gitVersion=v${kubernetesVersion}`,
}

/** Returns the path of kubectl. The first call compiles it, which takes some minutes. */
export const kubectlBinary = (progress: Progress): Promise<string> => kubernetesBinary('kubectl', progress)

/** Returns the path of a program of Kubernetes. The first call compiles it, which takes some minutes. */
export const kubernetesBinary = (name: string, progress: Progress): Promise<string> =>
  goBinary({ ...inKubernetes, name, package: `k8s.io/kubernetes/cmd/${name}` }, progress)

export const etcdBinary = (progress: Progress): Promise<string> => {
  const name = 'go.etcd.io/etcd/server/v3'
  const etcd = { name: 'etcd', version: etcdVersion, package: name, module: `${name} v${etcdVersion}` }
  return goBinary(etcd, progress)
}

/** The store that Compose and the cluster run as an image. */
export const versitygwProgram: GoProgram = {
  name: 'versitygw',
  version: '1.8.0',
  package: 'github.com/versity/versitygw/cmd/versitygw',
  module: 'github.com/versity/versitygw v1.8.0',
}

export const k6Program: GoProgram = {
  name: 'k6',
  version: '1.8.1',
  package: 'go.k6.io/k6',
  module: 'go.k6.io/k6 v1.8.1',
}

/** The newest Compose that speaks to Debian's Docker 20.10. */
export const composeProgram: GoProgram = {
  name: 'docker-compose',
  version: '2.40.3',
  package: 'github.com/docker/compose/v2/cmd',
  module: 'github.com/docker/compose/v2 v2.40.3',
}

export const kubeRouterProgram: GoProgram = {
  name: 'kube-router',
  version: '2.1.0',
  package: 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router',
  module: 'github.com/cloudnativelabs/kube-router/v2 v2.1.0',
}

const dnsPlugins = ['reload', 'health', 'ready', 'errors', 'cache', 'loop', 'hosts', 'kubernetes']

/** A cluster's DNS with only the plugins that it uses. */
export const corednsProgram: GoProgram = {
  name: 'coredns',
  version: '1.14.7',
  package: '.',
  module: 'github.com/coredns/coredns v1.14.7',
  main: `package main

import (
	"github.com/coredns/coredns/coremain"
${dnsPlugins.map((name) => `\t_ "github.com/coredns/coredns/plugin/${name}"`).join('\n')}
)

func main() { coremain.Run() }
`,
}

/**
 * Returns the path of a program in the cache. The first call compiles it from its published module with the installed
 * Go.
 */
export async function goBinary(program: GoProgram, progress: Progress): Promise<string> {
  const { name, version } = program
  const cache = join(dirname(engineCache), 'tools')
  const title = `Compiling ${name} ${version} with Go (minutes, once)`
  const folder = await cached({ name: `${name}-${version}`, title, bytes: 3e9, progress, cache }, (part) =>
    compile(join(part, name), program),
  )
  return join(folder, name)
}

async function compile(target: string, program: GoProgram): Promise<void> {
  const { module, main, linkerFlags = '', tags = [] } = program
  await run('go', ['version']).catch((cause: unknown) => {
    const sentence = 'Go is needed to compile this. Please install Go 1.26 or newer (https://go.dev/dl).'
    throw new Error(sentence, { cause })
  })
  const download = await run('go', ['mod', 'download', '-json', module.replace(' ', '@')])
  const source = JSON.parse(download) as { Dir: string; Version: string }
  const goMod = await readFile(join(source.Dir, 'go.mod'), 'utf8')
  // Kubernetes replaces its own modules by folders that its archive lacks, so the published modules are used instead.
  const replacements = [...goMod.matchAll(/^\t(k8s\.io\/\S+) => \.\/staging/gm)].map(
    ([, name]) => `replace ${name} => ${name} ${source.Version.replace('v1', 'v0')}`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-go-'))
  try {
    const exclusions = goMod.match(/^exclude \($[^]*?^\)$/m) ?? []
    const lines = [
      'module sumlock.invalid/build',
      'go 1.25.0',
      `require ${module}`,
      ...replacements,
      ...exclusions,
    ]
    await writeFile(join(folder, 'go.mod'), `${lines.join('\n')}\n`)
    await copyFile(join(source.Dir, 'go.sum'), join(folder, 'go.sum'))
    if (main !== undefined) await writeFile(join(folder, 'main.go'), main)
    // Low priority and two packages at a time keep the machine usable.
    const flags = ['-p', '2', '-mod=mod', '-trimpath', '-tags', tags.join()]
    const linking = ['-ldflags', `-s -w ${linkerFlags}`.trim()]
    const command = ['nice', '-n', '15', 'go', 'build', ...flags, ...linking, '-o', target, program.package]
    await run('env', ['CGO_ENABLED=0', ...command], { cwd: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
