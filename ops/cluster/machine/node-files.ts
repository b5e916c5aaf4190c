import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { stringify } from 'yaml'
import { cgroupOf } from './cgroups.ts'

/** The addresses of a try. They exist only in its own network. */
export const addresses = {
  node: '10.99.0.1',
  pods: '10.88.0.0/16',
  services: '10.96.0.0/16',
  dns: '10.96.0.10',
}
export const nodeName = 'node'

/** Who speaks to the API server. The users' names are those to which Kubernetes itself grants rights. */
export const users = {
  admin: { user: 'admin', group: 'system:masters' },
  'controller-manager': { user: 'system:kube-controller-manager', group: '' },
  scheduler: { user: 'system:kube-scheduler', group: '' },
  kubelet: { user: `system:node:${nodeName}`, group: 'system:nodes' },
  proxy: { user: 'system:kube-proxy', group: '' },
} as const
export type User = keyof typeof users

export const kubeconfigOf = (folder: string, name: User): string => join(folder, `${name}.kubeconfig`)

const write = (file: string, content: object) => writeFile(file, stringify(content), { mode: 0o600 })

/** Writes a kubeconfig for each user. `tokens` has the token with which the API server recognizes the user. */
export async function writeKubeconfigs(folder: string, tokens: Record<User, string>): Promise<void> {
  for (const name of Object.keys(users) as User[])
    await write(kubeconfigOf(folder, name), {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'try',
          cluster: {
            server: `https://${addresses.node}:6443`,
            'certificate-authority': join(folder, 'apiserver.crt'),
          },
        },
      ],
      users: [{ name, user: { token: tokens[name] } }],
      contexts: [{ name: 'try', context: { cluster: 'try', user: name } }],
      'current-context': 'try',
    })
}

/** Writes the settings of the container runtime. */
export async function writeContainerd(folder: string, plugins: string): Promise<void> {
  // Without restrict_oom_score_adj, no container starts on a machine whose root may not lower that score.
  await writeFile(
    join(folder, 'containerd.toml'),
    `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "${pauseImage}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${plugins}"
    conf_dir = "${folder}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`,
  )
  const bridge = {
    type: 'bridge',
    bridge: 'pods',
    isGateway: true,
    hairpinMode: true,
    ipam: {
      type: 'host-local',
      dataDir: join(folder, 'pod-addresses'),
      ranges: [[{ subnet: addresses.pods }]],
      routes: [{ dst: '0.0.0.0/0' }],
    },
  }
  const ports = { type: 'portmap', capabilities: { portMappings: true } }
  await writeFile(
    join(folder, 'cni', '10-pods.conflist'),
    JSON.stringify({ cniVersion: '1.0.0', name: 'pods', plugins: [bridge, ports] }),
  )
}

export const pauseImage = 'docker.io/sumlock-try/pause:1'

/** Writes the settings of the kubelet and the service proxy. */
export async function writeNode(folder: string): Promise<void> {
  await writeFile(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n')
  await write(join(folder, 'kubelet.yaml'), {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    // Nobody outside the try's network reaches the kubelet.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    clusterDNS: [addresses.dns],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: `unix://${folder}/containerd.sock`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: cgroupOf(basename(folder)),
    failCgroupV1: false,
    failSwapOn: false,
    resolvConf: join(folder, 'resolv.conf'),
    podLogsDir: join(folder, 'pod-logs'),
    seccompDefault: true,
    evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    // No image could be fetched again.
    imageGCHighThresholdPercent: 100,
  })
  await write(join(folder, 'proxy.yaml'), {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    clusterCIDR: addresses.pods,
    clientConnection: { kubeconfig: kubeconfigOf(folder, 'proxy') },
    conntrack: { maxPerCore: 0, min: 0 },
    hostnameOverride: nodeName,
    bindAddress: addresses.node,
  })
}
