import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import type { ServiceProcess, Stack } from '@sumlock/dev/product/services'
import { testEngines } from './test-engines.ts'

/** A test may call this instance of a service but must neither stop nor kill it. */
export type RunningService = Pick<
  ServiceProcess,
  'service' | 'index' | 'publicUrl' | 'internalUrl' | 'environment' | 'logFile'
>

/** A test may call this stack but must not stop or kill it. Every `Stack` can be used as one. */
export interface RunningStack extends Pick<Stack, 'gatewayUrl' | 'addresses' | 'secrets' | 'namespace'> {
  readonly services: readonly RunningService[]
  service(name: ServiceName, index?: number): RunningService
}

/** The shared stack runs two replicas of each service whose replicas depend on each other's state. */
export const sharedReplicas = { messaging: 2, realtime: 2, auth: 2, billing: 2 } as const

/**
 * The shared stack hashes passwords with this cost of bcrypt, one above the minimum, so that tests can store a hash of
 * a lower cost.
 */
export const sharedBcryptCost = 5

/**
 * Returns the stack that serves all suites of a run which stop nothing, change no setting, and count nothing for a
 * whole process. Each suite registers its own people, so that suites do not disturb each other. The first call of a run
 * starts the stack.
 */
export async function sharedStack(): Promise<RunningStack> {
  const { addresses, secrets, sharedStackUrl } = await testEngines()
  const answer = await fetch(sharedStackUrl, { method: 'POST' })
  if (!answer.ok) throw new Error(`The shared stack did not start: ${await answer.text()}`)
  const { gatewayUrl, namespace, services } = (await answer.json()) as Omit<RunningStack, 'service'>
  return {
    gatewayUrl,
    addresses,
    secrets,
    namespace,
    services,
    service(name, index = 0) {
      const found = services.find((instance) => instance.service === name && instance.index === index)
      if (!found) throw new Error(`There is no ${name}-${index + 1} in the shared stack`)
      return found
    },
  }
}

export interface SharedStackServer {
  /** A POST to this address is answered with the stack, once it is ready. */
  url: string
  close(): Promise<void>
}

/** Starts the stack when the first test process asks for it, and gives every process its address. */
export async function serveSharedStack(start: () => Promise<Stack>): Promise<SharedStackServer> {
  let stack: Promise<Stack> | undefined
  const server = createServer((_request, response) => {
    stack ??= start()
    stack.then(
      ({ gatewayUrl, namespace, services }) =>
        response.end(JSON.stringify({ gatewayUrl, namespace, services: services.map(viewOf) })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await listen(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      await (await stack?.catch(() => undefined))?.stop()
    },
  }
}

const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref())

const viewOf = ({
  service,
  index,
  publicUrl,
  internalUrl,
  environment,
  logFile,
}: ServiceProcess): RunningService => ({ service, index, publicUrl, internalUrl, environment, logFile })
