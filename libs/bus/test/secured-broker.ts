import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KafkaVariant } from '@sumlock/dev/engines/kafka'
import { loadConfig } from '@sumlock/service-kit/config'
import { kafkaConnection, kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { z } from 'zod'

const run = promisify(execFile)
const storePassword = 'store-password'

/** A certificate for this machine that it signed itself, by the tool that comes with Java; returns it as PEM. */
export async function selfSigned(folder: string, name: string): Promise<string> {
  const store = ['-keystore', join(folder, `${name}.p12`), '-storepass', storePassword, '-alias', name]
  const subject = ['-dname', 'CN=127.0.0.1', '-ext', 'SAN=IP:127.0.0.1', '-validity', '2']
  await run('keytool', ['-genkeypair', '-keyalg', 'EC', '-storetype', 'PKCS12', ...subject, ...store])
  const file = join(folder, `${name}.pem`)
  await run('keytool', ['-exportcert', '-rfc', '-file', file, ...store])
  return readFile(file, 'utf8')
}

interface BrokerPorts {
  port: number
  innerPort: number
  controllerPort: number
}

/** A broker that talks to clients by TLS alone and asks them for a user and a password (SCRAM-SHA-512). */
export function securedBroker(
  folder: string,
  name: string,
  { port, innerPort, controllerPort }: BrokerPorts,
  env: Record<string, string>,
): KafkaVariant {
  return {
    connection: kafkaConnection(loadConfig(z.object(kafkaEnv), env)),
    format: [
      '--add-scram',
      `SCRAM-SHA-512=[name=${env['KAFKA_USERNAME']},password=${env['KAFKA_PASSWORD']}]`,
    ],
    properties: `
listeners=CLIENTS://127.0.0.1:${port},INNER://127.0.0.1:${innerPort},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=CLIENTS://127.0.0.1:${port},INNER://127.0.0.1:${innerPort}
listener.security.protocol.map=CLIENTS:SASL_SSL,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=INNER
sasl.enabled.mechanisms=SCRAM-SHA-512
listener.name.clients.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
ssl.keystore.type=PKCS12
ssl.keystore.location=${join(folder, `${name}.p12`)}
ssl.keystore.password=${storePassword}
`,
  }
}
