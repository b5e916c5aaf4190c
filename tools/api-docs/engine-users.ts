import { kafkaRules, kafkaServices, kafkaUser } from '@sumlock/deployment/kafka-users'
import { redisRules, redisUsers } from '@sumlock/deployment/redis-users'

const namespace = 'sumlock'
const code = (text: string) => `\`${text}\``
const shell = (lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n')

/** Returns a Markdown page with the users of Kafka and Redis, their rights, and the commands that create them. */
export function engineUsersPage(): string {
  const rules = kafkaRules(namespace)
  const namesOf = (user: string, resource: string, operation: string) =>
    rules
      .filter((rule) => rule.user === user && rule.resource === resource && rule.operation === operation)
      .map(({ name }) => code(name))
      .join(', ')
  const kafkaRows = kafkaServices.map((service) => {
    const user = kafkaUser(service)
    const cells = [
      namesOf(user, 'topic', 'write'),
      namesOf(user, 'topic', 'read'),
      namesOf(user, 'group', 'read'),
    ]
    return `| ${code(user)} | ${cells.join(' | ')} |`
  })
  const users = redisUsers(namespace)
  const redisRows = users.map(
    ({ name, service, setting, channels, keys, commands }) =>
      `| ${code(name)} | ${service}, ${code(setting)} | ${channels.map(code).join(', ')} | ${keys.map(code).join(', ')} | ${commands.join(', ')} |`,
  )
  return [
    '# Users of Kafka and Redis',
    'Made from `libs/contracts/src/topics.ts` and `redis-channels.ts` by `npm run docs:api`; do not edit. The engines refuse everything that is not listed here.',
    '`npm start`, the tests, Compose and the `local` overlay create these users and rights themselves. In production an operator creates them, and a service without a user of its own, or with `admin`, does not start. The names are a proposal: each service only needs a user that no other one has, and `npm run k8s:secrets` refuses settings in which two share one. The commands are for the namespace `sumlock`. Run them again after an upgrade that changed this page, and remove what it no longer lists.',
    '## Kafka',
    'A service reads its account from `KAFKA_USERNAME` and `KAFKA_PASSWORD`. The job that creates the topics has an administrator’s, and so has `npm run dlq`, which reads dead letters. A right to read or write includes the right to describe.',
    ['| User | Writes | Reads | Consumer group |', '| --- | --- | --- | --- |', ...kafkaRows].join('\n'),
    'The brokers need an authorizer (`authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer`) and, in `super.users`, themselves and the administrator. Without a rule they must refuse (`allow.everyone.if.no.acl.found` stays `false`).',
    shell([
      'kafka="--bootstrap-server kafka-1.example.com:9093 --command-config admin.properties"',
      ...kafkaServices.map(
        (service) =>
          `kafka-configs.sh $kafka --alter --add-config 'SCRAM-SHA-512=[password=…]' --entity-type users --entity-name ${kafkaUser(service)}`,
      ),
      ...rules.map(
        ({ user, resource, name, operation }) =>
          `kafka-acls.sh $kafka --add --allow-principal User:${user} --operation ${operation} --${resource} ${name}`,
      ),
    ]),
    '## Redis',
    'A service reads its addresses, user included, from the settings below. A right to a channel is for subscribing and publishing alike, so realtime, which does both, has two users with different commands. The user `default` is for administrators: give it a password, or turn it off. The commands read its password from `REDISCLI_AUTH`. Redis forgets users at a restart, and copies them to no replica: run the commands on each server, which needs an `aclfile`, and then `ACL SAVE`.',
    ['| User | Of | Channels | Keys | Commands |', '| --- | --- | --- | --- | --- |', ...redisRows].join(
      '\n',
    ),
    shell(
      users.map((user) => {
        const words = redisRules(user).map((rule) => (/^\+/.test(rule) ? rule : `'${rule}'`))
        return `redis-cli --tls -h redis.example.com ACL SETUSER ${user.name} reset resetchannels on '>…' ${words.join(' ')}`
      }),
    ),
    '',
  ].join('\n\n')
}
