import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cached } from '@sumlock/stack/fetch-engine'
import type { Progress } from '@sumlock/stack/progress'
import { run } from '@sumlock/stack/run'
import { etcdVersion, kubernetesVersion, kustomizeVersion } from '../versions.ts'

export interface Binaries {
  apiServer: string
  etcd: string
  kustomize: string
}

/**
 * A real kube-apiserver, etcd and kustomize, compiled from their own releases through the Go module proxy. The first time
 * takes ten minutes or so; then they lie in the cache.
 */
export async function buildControlPlane(progress: Progress): Promise<Binaries> {
  await run('go', ['version']).catch((error: unknown) => {
    throw new Error(
      'The API server is compiled with Go. Please install Go 1.25 or newer (https://go.dev/dl).',
      {
        cause: error,
      },
    )
  })
  const build = (name: string, version: string, source: Source) =>
    cached(
      { name: `${name}-${version}`, title: `Compiling ${name} ${version}`, bytes: 3e9, progress },
      (folder) => compile(join(folder, name), source),
    ).then((folder) => join(folder, name))
  return {
    etcd: await build('etcd', etcdVersion, {
      package: 'go.etcd.io/etcd/server/v3',
      require: `go.etcd.io/etcd/server/v3 v${etcdVersion}`,
    }),
    kustomize: await build('kustomize', kustomizeVersion, {
      package: 'sigs.k8s.io/kustomize/kustomize/v5',
      require: `sigs.k8s.io/kustomize/kustomize/v5 v${kustomizeVersion}`,
    }),
    apiServer: await build('kube-apiserver', kubernetesVersion, await apiServerSource()),
  }
}

interface Source {
  package: string
  require: string
  replace?: string
  checksums?: string
  linkerFlags?: string
}

/** The module replaces its parts by folders that its archive does not carry; they are published beside it. */
async function apiServerSource(): Promise<Source> {
  const download = await run('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`])
  const { Dir } = JSON.parse(download) as { Dir: string }
  const ofParts = kubernetesVersion.replace(/^1/, 'v0')
  const parts = (await readFile(join(Dir, 'go.mod'), 'utf8')).matchAll(/^\t(k8s\.io\/\S+) => \.\/staging/gm)
  const [major, minor] = kubernetesVersion.split('.')
  const set = (name: string, value: string) => `-X k8s.io/component-base/version.${name}=${value}`
  return {
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    require: `k8s.io/kubernetes v${kubernetesVersion}`,
    replace: [...parts].map(([, part]) => `\t${part} => ${part} ${ofParts}`).join('\n'),
    checksums: join(Dir, 'go.sum'),
    linkerFlags: [
      set('gitVersion', `v${kubernetesVersion}`),
      set('gitMajor', `${major}`),
      set('gitMinor', `${minor}`),
    ].join(' '),
  }
}

async function compile(target: string, source: Source): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-go-'))
  try {
    const lines = ['module sumlock.invalid/build', 'go 1.25.0', `require ${source.require}`]
    if (source.replace) lines.push(`replace (\n${source.replace}\n)`)
    await writeFile(join(folder, 'go.mod'), `${lines.join('\n\n')}\n`)
    if (source.checksums) await copyFile(source.checksums, join(folder, 'go.sum'))
    const flags = ['-mod=mod', '-trimpath', '-ldflags', `-s -w ${source.linkerFlags ?? ''}`.trim()]
    await run(
      'env',
      ['CGO_ENABLED=0', 'nice', '-n', '10', 'go', 'build', ...flags, '-o', target, source.package],
      {
        cwd: folder,
      },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
