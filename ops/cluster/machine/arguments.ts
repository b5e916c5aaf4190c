import { addresses, nodeName } from './node-files.ts'

/** The command lines of the cluster's programs. `folder` is the cluster's. */
export const etcdArguments = (folder: string): string[] => [
  `--data-dir=${folder}/etcd`,
  '--unsafe-no-fsync',
  '--log-level=warn',
  '--listen-client-urls=http://127.0.0.1:2379',
  '--advertise-client-urls=http://127.0.0.1:2379',
  '--listen-peer-urls=http://127.0.0.1:2380',
]

export const apiServerArguments = (folder: string): string[] => [
  '--etcd-servers=http://127.0.0.1:2379',
  '--bind-address=0.0.0.0',
  `--advertise-address=${addresses.node}`,
  '--secure-port=6443',
  // The API server writes its certificate there, with its names and addresses.
  `--cert-dir=${folder}`,
  `--token-auth-file=${folder}/tokens.csv`,
  '--authorization-mode=Node,RBAC',
  '--enable-admission-plugins=NodeRestriction',
  '--allow-privileged=true',
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${folder}/apiserver.key`,
  `--service-account-signing-key-file=${folder}/apiserver.key`,
  `--service-cluster-ip-range=${addresses.services}`,
  '--kubelet-preferred-address-types=InternalIP',
  // The metrics server recognizes the API server by this certificate.
  `--proxy-client-cert-file=${folder}/front-proxy.crt`,
  `--proxy-client-key-file=${folder}/front-proxy.key`,
  `--requestheader-client-ca-file=${folder}/front-proxy.crt`,
  '--requestheader-allowed-names=front-proxy',
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  '--enable-aggregator-routing=true',
]

export const controllerArguments = (folder: string): string[] => [
  `--service-account-private-key-file=${folder}/apiserver.key`,
  `--root-ca-file=${folder}/apiserver.crt`,
  '--use-service-account-credentials=true',
  '--leader-elect=false',
  '--bind-address=127.0.0.1',
]

export const kubeletArguments = (folder: string): string[] => [
  `--config=${folder}/kubelet.yaml`,
  `--root-dir=${folder}/kubelet`,
  `--cert-dir=${folder}/kubelet-certificates`,
  `--hostname-override=${nodeName}`,
  `--node-ip=${addresses.node}`,
]

/** kube-router only enforces the NetworkPolicies. */
export const policyArguments: string[] = [
  '--run-firewall=true',
  '--run-router=false',
  '--run-service-proxy=false',
  '--run-loadbalancer=false',
  `--service-cluster-ip-range=${addresses.services}`,
  `--hostname-override=${nodeName}`,
]
