import type { Kubernetes } from '../kubernetes.ts'
import type { Forward } from '../kubernetes.ts'

/** The overlay `local` accepts requests of pages with this origin. */
export const publicOrigin = 'http://localhost:8080'

/** Pods of the cluster reach the edge at this address. */
export const edgeInside = 'http://edge.sumlock-edge'

/** A person sends an address of their own here, because all come through one forwarded port and limits are per address. */
export const addressHeader = 'x-try-address'

export const edgeNamespace = 'sumlock-edge'
const metadata = (name: string) => ({ name, namespace: edgeNamespace, labels: { app: 'edge' } })

/**
 * Starts an nginx that stands for the ingress controller: it has the paths of `k8s/base/ingress.yaml`, and its namespace
 * the label that the NetworkPolicies ask for. Returns a forwarded port to it.
 */
export async function openEdge(kubernetes: Kubernetes): Promise<Forward> {
  const dns = ['get', 'service', 'kube-dns', '--namespace=kube-system', '--output=jsonpath={.spec.clusterIP}']
  await kubernetes.apply(edgeManifests(await kubernetes.kubectl(...dns)))
  const status = ['rollout', 'status', 'deployment/edge', `--namespace=${edgeNamespace}`, '--timeout=2m']
  await kubernetes.watched({ namespace: edgeNamespace }, (_, kubectl) => kubectl(...status))
  return kubernetes.forward({ namespace: edgeNamespace, target: 'service/edge', port: 80 })
}

function edgeManifests(dnsAddress: string): object[] {
  const container = {
    name: 'nginx',
    image: 'nginxinc/nginx-unprivileged:1.30.4-alpine-slim',
    imagePullPolicy: 'IfNotPresent',
    command: ['nginx', '-e', '/dev/stderr', '-c', '/edge/nginx.conf', '-g', 'daemon off;'],
    ports: [{ containerPort: 8080 }],
    readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
    volumeMounts: [
      { name: 'edge', mountPath: '/edge' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
  const volumes = [
    { name: 'edge', configMap: { name: 'edge' } },
    { name: 'tmp', emptyDir: {} },
  ]
  const labels = { app: 'edge' }
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: edgeNamespace, labels: { 'sumlock/ingress': 'yes' } },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadata('edge'),
      data: { 'nginx.conf': nginxConf(dnsAddress) },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata('edge'),
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container], volumes } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata('edge'),
      spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    },
  ]
}

/** nginx resolves the names anew every two seconds, as an ingress controller follows the endpoints. */
const nginxConf = (dnsAddress: string): string => `
worker_processes 1;
pid /tmp/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path /tmp/c; proxy_temp_path /tmp/p;
  fastcgi_temp_path /tmp/f; uwsgi_temp_path /tmp/u; scgi_temp_path /tmp/s;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  map $http_x_try_address $client { default $http_x_try_address; '' $remote_addr; }
  map $http_origin $page { default $http_origin; ${edgeInside} ${publicOrigin}; }
  resolver ${dnsAddress} valid=2s;
  server {
    listen 8080;
    client_max_body_size 0;
    proxy_http_version 1.1;
    proxy_buffering off;
    proxy_request_buffering off;
    proxy_connect_timeout 2s;
    proxy_read_timeout 1h;
    proxy_set_header Host localhost:8080;
    proxy_set_header Origin $page;
    proxy_set_header X-Forwarded-For $client;
    proxy_set_header X-Forwarded-Proto http;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    set $realtime realtime-edge.sumlock.svc.cluster.local;
    set $gateway gateway.sumlock.svc.cluster.local;
    set $web web.sumlock.svc.cluster.local;
    location /ws { proxy_pass http://$realtime:8080; }
    location /api { proxy_pass http://$gateway:8080; }
    location = /contacts.json { proxy_pass http://$gateway:8080; }
    location / { proxy_pass http://$web:8080; }
  }
}
`
