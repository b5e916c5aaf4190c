import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { goBinary, requireGo } from '../go/go-binary.ts'
import type { GoProgram } from '../go/go-binary.ts'
import { etcdVersion, kubernetesVersion, kustomizeVersion } from '../versions.ts'

export interface Binaries {
  apiServer: string
  etcd: string
  kustomize: string
}

/** A real kube-apiserver, etcd and kustomize, compiled from their own releases through the Go module proxy. */
export async function buildControlPlane(progress: Progress): Promise<Binaries> {
  await requireGo()
  return {
    etcd: await goBinary(
      {
        name: 'etcd',
        version: etcdVersion,
        package: 'go.etcd.io/etcd/server/v3',
        require: `go.etcd.io/etcd/server/v3 v${etcdVersion}`,
      },
      progress,
    ),
    kustomize: await goBinary(
      {
        name: 'kustomize',
        version: kustomizeVersion,
        package: 'sigs.k8s.io/kustomize/kustomize/v5',
        require: `sigs.k8s.io/kustomize/kustomize/v5 v${kustomizeVersion}`,
      },
      progress,
    ),
    apiServer: await goBinary(await apiServerSource(), progress),
  }
}

/** The module replaces its parts by folders that its archive does not carry; they are published beside it. */
async function apiServerSource(): Promise<GoProgram> {
  const download = await run('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`])
  const { Dir } = JSON.parse(download) as { Dir: string }
  const ofParts = kubernetesVersion.replace(/^1/, 'v0')
  const parts = (await readFile(join(Dir, 'go.mod'), 'utf8')).matchAll(/^\t(k8s\.io\/\S+) => \.\/staging/gm)
  const [major, minor] = kubernetesVersion.split('.')
  const set = (name: string, value: string) => `-X k8s.io/component-base/version.${name}=${value}`
  return {
    name: 'kube-apiserver',
    version: kubernetesVersion,
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
