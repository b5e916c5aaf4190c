import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { goBinary, requireGo } from './go-binary.ts'
import type { GoProgram } from './go-binary.ts'
import { etcdVersion, kubernetesVersion, kustomizeVersion } from './versions.ts'

/** Path of kustomize. The first call compiles it, which takes about a minute. */
export const kustomizeBinary = (progress: Progress): Promise<string> =>
  goBinary(
    {
      name: 'kustomize',
      version: kustomizeVersion,
      package: 'sigs.k8s.io/kustomize/kustomize/v5',
      require: `sigs.k8s.io/kustomize/kustomize/v5 v${kustomizeVersion}`,
    },
    progress,
  )

export interface ControlPlanePrograms {
  etcd: string
  apiServer: string
  kubectl: string
}

/** Paths of etcd, kube-apiserver and kubectl. The first call compiles them, which takes about ten minutes. */
export async function controlPlanePrograms(progress: Progress): Promise<ControlPlanePrograms> {
  await requireGo()
  const etcd = await goBinary(
    {
      name: 'etcd',
      version: etcdVersion,
      package: 'go.etcd.io/etcd/server/v3',
      require: `go.etcd.io/etcd/server/v3 v${etcdVersion}`,
    },
    progress,
  )
  const ofKubernetes = await kubernetesSource()
  const apiServer = await goBinary(
    { ...ofKubernetes, name: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
    progress,
  )
  const kubectl = await goBinary(
    { ...ofKubernetes, name: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl' },
    progress,
  )
  return { etcd, apiServer, kubectl }
}

/** The go.mod of Kubernetes replaces its modules by folders outside its archive; take the published ones instead. */
async function kubernetesSource(): Promise<Omit<GoProgram, 'name' | 'package'>> {
  const download = await run('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`])
  const { Dir } = JSON.parse(download) as { Dir: string }
  const moduleVersion = kubernetesVersion.replace(/^1/, 'v0')
  const goMod = await readFile(join(Dir, 'go.mod'), 'utf8')
  const modules = [...goMod.matchAll(/^\t(k8s\.io\/\S+) => \.\/staging/gm)].map(([, name]) => name)
  const [major, minor] = kubernetesVersion.split('.')
  const set = (name: string, value: string) => `-X k8s.io/component-base/version.${name}=${value}`
  return {
    version: kubernetesVersion,
    require: `k8s.io/kubernetes v${kubernetesVersion}`,
    replace: modules.map((name) => `\t${name} => ${name} ${moduleVersion}`).join('\n'),
    checksums: join(Dir, 'go.sum'),
    linkerFlags: [
      set('gitVersion', `v${kubernetesVersion}`),
      set('gitMajor', `${major}`),
      set('gitMinor', `${minor}`),
    ].join(' '),
  }
}
