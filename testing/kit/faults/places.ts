import { freePorts } from '@sumlock/dev/processes/ports'

/** A member of MongoDB and a broker run at each place. */
export interface Place {
  readonly host: string
  readonly mongoPort: number
  readonly kafkaPort: number
  readonly controllerPort: number
  /** This command runs the program that follows it at the place. */
  readonly within: readonly string[]
}

/** Returns three places on this machine's loopback. */
export async function localPlaces(): Promise<Place[]> {
  const ports = await freePorts(9)
  return [0, 1, 2].map((index) => {
    const [mongoPort = 0, kafkaPort = 0, controllerPort = 0] = ports.slice(3 * index)
    return { host: '127.0.0.1', mongoPort, kafkaPort, controllerPort, within: [] }
  })
}
