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
  /** The program's main package has this import path. */
  package: string
  /** The program is part of this module, written as in a go.mod: `path version`. */
  module: string
  linkerFlags?: string
  tags?: readonly string[]
}

export const kubernetesVersion = '1.35.4'
const etcdVersion = '3.6.16'

const inKubernetes = {
  version: kubernetesVersion,
  module: `k8s.io/kubernetes v${kubernetesVersion}`,
  linkerFlags: `-X k8s.io/component-base/version.gitVersion=v${kubernetesVersion}`,
}

/** Returns the path of kubectl. The first call compiles it, which takes some minutes. */
export const kubectlBinary = (progress: Progress): Promise<string> =>
  goBinary({ ...inKubernetes, name: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl' }, progress)

/** Returns the path of the API server. The first call compiles it, which takes some minutes. */
export const apiServerBinary = (progress: Progress): Promise<string> =>
  goBinary(
    { ...inKubernetes, name: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
    progress,
  )

export const etcdBinary = (progress: Progress): Promise<string> => {
  const name = 'go.etcd.io/etcd/server/v3'
  const etcd = { name: 'etcd', version: etcdVersion, package: name, module: `${name} v${etcdVersion}` }
  return goBinary(etcd, progress)
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

async function compile(target: string, { module, package: main, linkerFlags = '', tags = [] }: GoProgram) {
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
    const lines = ['module sumlock.invalid/build', 'go 1.25.0', `require ${module}`, ...replacements]
    await writeFile(join(folder, 'go.mod'), `${lines.join('\n')}\n`)
    await copyFile(join(source.Dir, 'go.sum'), join(folder, 'go.sum'))
    // Low priority and two packages at a time keep the machine usable.
    const flags = ['-p', '2', '-mod=mod', '-trimpath', '-tags', tags.join()]
    const linking = ['-ldflags', `-s -w ${linkerFlags}`.trim()]
    const command = ['nice', '-n', '15', 'go', 'build', ...flags, ...linking, '-o', target, main]
    await run('env', ['CGO_ENABLED=0', ...command], { cwd: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
