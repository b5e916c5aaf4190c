import { goBinary } from '@sumlock/dev/engines/go-binary'
import type { GoProgram } from '@sumlock/dev/engines/go-binary'
import type { Progress } from '@sumlock/dev/processes/progress'

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

/** The autoscalers of a cluster read the use of processors from it. */
export const metricsServerProgram: GoProgram = {
  name: 'metrics-server',
  version: '0.8.0',
  package: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
  module: 'sigs.k8s.io/metrics-server v0.8.0',
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
