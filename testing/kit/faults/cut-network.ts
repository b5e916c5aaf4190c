import { randomBytes, randomInt } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { createChild } from '@sumlock/dev/processes/child'
import type { Child } from '@sumlock/dev/processes/child'
import { run } from '@sumlock/dev/processes/run'
import type { Place } from './places.ts'

/**
 * Each place has its own network namespace. A switch in a further namespace connects the places with each other and
 * with this machine.
 */
export interface CutNetwork {
  readonly places: readonly Place[]
  /** Drops all packets to and from the place, without an error on either side. */
  cut(place: number): Promise<unknown>
  /** Drops all packets from the place; packets to it arrive. */
  mute(place: number): Promise<unknown>
  /** Cuts the place off from the other places. This machine still reaches all of them. */
  isolate(place: number): Promise<unknown>
  restore(place: number): Promise<void>
  close(): Promise<void>
}

const count = 3
/** This queue discipline drops every packet, because its limit is one byte. */
const dropAll = ['root', 'bfifo', 'limit', '1']

/**
 * Creates the places. A namespace and its wires exist only as long as the process that holds them, so that even a
 * killed test leaves nothing behind.
 */
export async function createCutNetwork(logDir: string): Promise<CutNetwork> {
  const name = `slk${randomBytes(3).toString('hex')}`
  // 198.18.0.0/15 is reserved for tests of networks.
  const net = `198.18.${randomInt(256)}`
  const hosts = Array.from({ length: count }, (_, index) => `${net}.${index + 11}`)
  const holders: Child[] = []
  const close = async () => {
    await Promise.all(holders.map((holder) => holder.stop()))
  }
  try {
    for (const part of ['switch', ...hosts]) holders.push(await hold(`${name}-${part}`, logDir))
    const [hub, ...members] = holders.map(({ pid }) => String(pid)) as [string, ...string[]]
    await connect({ name, net, hub, members, hosts })
    return {
      ...cuts({ hub, members, hosts }),
      places: hosts.map((host, index) => placeAt(host, members[index]!)),
      close,
    }
  } catch (error) {
    await close()
    throw new Error(
      'Connections are cut in network namespaces: run this test on Linux as root, with iproute2 and util-linux.',
      { cause: error },
    )
  }
}

const inside = (pid: string) => ['nsenter', `--net=/proc/${pid}/ns/net`]
const placeAt = (host: string, pid: string): Place => ({
  host,
  mongoPort: 27017,
  kafkaPort: 9092,
  controllerPort: 9093,
  within: inside(pid),
})

/** Starts a process that holds a new network namespace. */
async function hold(name: string, logDir: string): Promise<Child> {
  const own = readlinkSync('/proc/self/ns/net')
  const holder: Child = createChild({
    name,
    command: 'unshare',
    args: ['--net', 'sleep', 'infinity'],
    logDir,
    port: 0,
    ready: () => Promise.resolve(readlinkSync(`/proc/${holder.pid}/ns/net`) !== own),
  })
  await holder.start()
  return holder
}

interface Wires {
  hub: string
  members: readonly string[]
  hosts: readonly string[]
}

const ip = (line: string, pid?: string) => command('ip', line, pid)
const tc = (line: string, pid: string) => command('tc', line, pid)
function command(program: string, line: string, pid?: string): Promise<string> {
  const [first = program, ...rest] = [...(pid ? inside(pid) : []), program, ...line.split(' ')]
  return run(first, rest)
}

async function connect(wires: Wires & { name: string; net: string }): Promise<void> {
  const { name, net, hub, members, hosts } = wires
  await ip('link add switch type bridge', hub)
  await ip('link set dev switch up', hub)
  await ip(`link add ${name} type veth peer name machine netns ${hub}`)
  await ip('link set dev machine master switch up', hub)
  await ip(`addr add ${net}.1/24 dev ${name}`)
  await ip(`link set dev ${name} up`)
  for (const [index, member] of members.entries()) {
    await ip(`link add ${wireOf(index)} type veth peer name eth0 netns ${member}`, hub)
    await ip(`link set dev ${wireOf(index)} master switch up`, hub)
    await ip(`addr add ${hosts[index]}/24 dev eth0`, member)
    await ip('link set dev lo up', member)
    await ip('link set dev eth0 up', member)
  }
}

const wireOf = (index: number) => `place${index}`

function cuts({ hub, members, hosts }: Wires): Pick<CutNetwork, 'cut' | 'mute' | 'isolate' | 'restore'> {
  const memberOf = (place: number) => members[place] as string
  const mute = (place: number) => tc(`qdisc replace dev eth0 ${dropAll.join(' ')}`, memberOf(place))
  const deafen = (place: number) => tc(`qdisc replace dev ${wireOf(place)} ${dropAll.join(' ')}`, hub)
  const others = (place: number) => [...members.keys()].filter((index) => index !== place)
  return {
    mute,
    cut: (place) => Promise.all([mute(place), deafen(place)]),
    isolate: async (place) => {
      for (const other of others(place)) {
        await ip(`route add blackhole ${hosts[other]}/32`, memberOf(place))
        await ip(`route add blackhole ${hosts[place]}/32`, memberOf(other))
      }
    },
    restore: async (place) => {
      await tc('qdisc del dev eth0 root', memberOf(place)).catch(() => undefined)
      await tc(`qdisc del dev ${wireOf(place)} root`, hub).catch(() => undefined)
      for (const other of others(place)) {
        await ip(`route del blackhole ${hosts[other]}/32`, memberOf(place)).catch(() => undefined)
        await ip(`route del blackhole ${hosts[place]}/32`, memberOf(other)).catch(() => undefined)
      }
    },
  }
}
