import { topicRights } from '@sumlock/contracts/topics'
import type { ServiceName } from '@sumlock/contracts/route'
import type { KafkaConnection } from '@sumlock/service-kit/kafka-settings'
import kafkajs from 'kafkajs'
import type { AclEntry, Admin } from 'kafkajs'
import type { EngineAddresses } from './engine-addresses.ts'
import type { Secrets } from './secrets.ts'

export const kafkaServices: readonly ServiceName[] = [...new Set(topicRights().map(({ service }) => service))]

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

const administrator = 'admin'

/** Returns the user of a service. A broker of ours gets its users at its start, so all namespaces share them. */
export const kafkaUser = (service: ServiceName): string => `sumlock_${service}`

type KafkaSecrets = Pick<Secrets, 'kafkaAdminPassword' | 'kafkaPasswords'>

/** Returns the administrator's connection to the brokers. It has no password where the brokers have no users. */
export const kafkaAdmin = ({
  kafkaBrokers,
  kafkaAdminPassword,
}: Pick<EngineAddresses, 'kafkaBrokers' | 'kafkaAdminPassword'>): KafkaConnection => ({
  brokers: kafkaBrokers.split(','),
  ...(kafkaAdminPassword
    ? { sasl: { mechanism: 'plain', username: administrator, password: kafkaAdminPassword } }
    : {}),
})

/** Returns the settings with which a service signs in at a broker of ours. */
export const kafkaAccount = (service: ServiceName, { kafkaPasswords }: KafkaSecrets) => ({
  KAFKA_USERNAME: kafkaUser(service),
  KAFKA_PASSWORD: kafkaPasswords[service],
  KAFKA_SASL_MECHANISM: 'plain',
})

/** Returns the settings with which the administrator signs in at a broker of ours. */
export const kafkaAdminAccount = ({ kafkaAdminPassword }: KafkaSecrets) => ({
  KAFKA_USERNAME: administrator,
  KAFKA_PASSWORD: kafkaAdminPassword,
  KAFKA_SASL_MECHANISM: 'plain',
})

/**
 * Returns the lines of a broker's properties that define its users. The broker's listeners must be CLIENTS and
 * CONTROLLER. A user may only do what a rule allows.
 */
export function brokerUsers({ kafkaAdminPassword, kafkaPasswords }: KafkaSecrets): string {
  const admin = `user_${administrator}="${kafkaAdminPassword}"`
  const services = kafkaServices.map((service) => `user_${kafkaUser(service)}="${kafkaPasswords[service]}"`)
  const jaas = (...users: string[]) =>
    [
      'org.apache.kafka.common.security.plain.PlainLoginModule required',
      `username="${administrator}" password="${kafkaAdminPassword}"`,
      ...users,
    ].join(' ')
  return `listener.security.protocol.map=CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
sasl.mechanism.controller.protocol=PLAIN
listener.name.clients.plain.sasl.jaas.config=${jaas(admin, ...services)};
listener.name.controller.plain.sasl.jaas.config=${jaas(admin)};
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:${administrator}
`
}

interface KafkaRule {
  user: string
  resource: 'topic' | 'group'
  name: string
  operation: 'read' | 'write'
}

/** Returns the rules of a namespace. A service that reads topics also uses the consumer group with its own name. */
export function kafkaRules(namespace: string): KafkaRule[] {
  const rights = topicRights()
  const readers = new Set(rights.filter(({ may }) => may === 'read').map(({ service }) => service))
  return [
    ...rights.map(({ service, may, topic }) => ({
      user: kafkaUser(service),
      resource: 'topic' as const,
      name: `${namespace}.${topic}`,
      operation: may,
    })),
    ...[...readers].map((service) => ({
      user: kafkaUser(service),
      resource: 'group' as const,
      name: `${namespace}.${service}`,
      operation: 'read' as const,
    })),
  ]
}

const resourceTypes = { topic: AclResourceTypes.TOPIC, group: AclResourceTypes.GROUP }
const operations = { read: AclOperationTypes.READ, write: AclOperationTypes.WRITE }

const entryOf = ({ user, resource, name, operation }: KafkaRule): AclEntry => ({
  principal: `User:${user}`,
  host: '*',
  resourceType: resourceTypes[resource],
  resourceName: name,
  resourcePatternType: ResourcePatternTypes.LITERAL,
  operation: operations[operation],
  permissionType: AclPermissionTypes.ALLOW,
})
const keyOf = (entry: AclEntry) =>
  JSON.stringify([
    ...[entry.principal, entry.host, entry.operation, entry.permissionType],
    ...[entry.resourceType, entry.resourceName, entry.resourcePatternType],
  ])

const serviceUsers = new Set(['User:*', ...kafkaServices.map((service) => `User:${kafkaUser(service)}`)])

/**
 * Returns whether a rule concerns only the namespace, or gives or takes a right of one of its users by a wider name.
 */
function concerns(namespace: string, entry: AclEntry): boolean {
  const { principal, resourceType, resourceName, resourcePatternType } = entry
  const own = `${namespace}.`
  if (resourceName.startsWith(own)) return true
  const isPrefix = resourcePatternType === ResourcePatternTypes.PREFIXED
  const reaches = isPrefix ? own.startsWith(resourceName) : resourceName === '*'
  return (reaches || resourceType === AclResourceTypes.CLUSTER) && serviceUsers.has(principal)
}

/**
 * Creates the missing rules of a namespace and removes those that give its users other rights. `admin` must be
 * connected. Safe to repeat.
 */
export async function setKafkaRules(
  admin: Admin,
  namespace: string,
  rules: readonly KafkaRule[] = kafkaRules(namespace),
): Promise<void> {
  const { resources } = await admin.describeAcls({
    resourceType: AclResourceTypes.ANY,
    resourcePatternType: ResourcePatternTypes.ANY,
    operation: AclOperationTypes.ANY,
    permissionType: AclPermissionTypes.ANY,
  })
  const present = resources
    .flatMap(({ acls, ...resource }) => acls.map((acl) => ({ ...acl, ...resource })))
    .filter((entry) => concerns(namespace, entry))
  const wanted = rules.map(entryOf)
  const [had, has] = [new Set(present.map(keyOf)), new Set(wanted.map(keyOf))]
  const missing = wanted.filter((entry) => !had.has(keyOf(entry)))
  const excess = present.filter((entry) => !has.has(keyOf(entry)))
  if (missing.length > 0) await admin.createAcls({ acl: missing })
  if (excess.length > 0) await admin.deleteAcls({ filters: excess })
}
