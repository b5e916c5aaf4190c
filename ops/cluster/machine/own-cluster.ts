import { join } from 'node:path'
import { goBinary } from '@sumlock/dev/engines/go-binary'
import type { Progress } from '@sumlock/dev/processes/progress'
import { etcdBinary, kubeRouterProgram, kubernetesBinary } from '../../manifests/go-programs.ts'
import type { ClusterSetup, ProgramName } from './cluster.ts'
import type { DebianPrograms } from './debian-programs.ts'
import { saveImages } from './images.ts'
import type { SavedImages } from './images.ts'

export interface PreparedCluster extends Omit<SavedImages, 'archive'> {
  cluster: Omit<ClusterSetup, 'progress'>
}

/** Prepares the setup of a cluster: programs and images. Takes half an hour the first time. */
export async function prepareCluster(
  folder: string,
  { root, env }: DebianPrograms,
  progress: Progress,
  ending: AbortSignal,
): Promise<PreparedCluster> {
  const programs = await compilePrograms(progress)
  const { archive, images, rebuilt } = await saveImages(join(folder, 'images.tar'), progress, ending)
  const cluster = { folder, programs, env, archive, networkPlugins: join(root, 'usr/lib/cni') }
  return { cluster, images, rebuilt }
}

async function compilePrograms(progress: Progress): Promise<Record<ProgramName, string>> {
  const compile = (name: string) => kubernetesBinary(name, progress)
  return {
    etcd: await etcdBinary(progress),
    kubectl: await compile('kubectl'),
    'kube-apiserver': await compile('kube-apiserver'),
    'kube-controller-manager': await compile('kube-controller-manager'),
    'kube-scheduler': await compile('kube-scheduler'),
    kubelet: await compile('kubelet'),
    'kube-proxy': await compile('kube-proxy'),
    'kube-router': await goBinary(kubeRouterProgram, progress),
  }
}
