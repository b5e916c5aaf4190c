import { freePorts } from '@sumlock/dev/processes/ports'

/** A place where a member of MongoDB and a broker run. */
export interface Place {
  readonly host: string
  readonly mongoPort: number
  readonly kafkaPort: number
  readonly controllerPort: number
  /** A command that runs the program given after it at this place. */
  readonly within: readonly string[]
}

/** Three places on this machine's loopback. */
export async function localPlaces(): Promise<Place[]> {
  const ports = await freePorts(9)
  return [0, 1, 2].map((index) => {
    const [mongoPort = 0, kafkaPort = 0, controllerPort = 0] = ports.slice(3 * index)
    return { host: '127.0.0.1', mongoPort, kafkaPort, controllerPort, within: [] }
  })
}
