import { writeFile } from 'node:fs/promises'
import { run } from '@sumlock/dev/processes/run'
import { addresses } from './node-files.ts'

/** Creates the one link of a sandbox's network. Programs find a default route there, but it leads nowhere. */
export async function createNetwork(): Promise<void> {
  const ip = (line: string) => run('ip', line.split(' '))
  await ip('link set lo up')
  await ip('link add node type bridge')
  await ip(`address add ${addresses.node}/24 dev node`)
  await ip('link set node up')
  await ip('route add default via 10.99.0.254 dev node')
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1')
}
