import { allEvents } from '@sumlock/contracts/all-events'
import { topics } from '@sumlock/contracts/topics'
import { databaseOwners } from '@sumlock/deployment/provision'
import mongoose from 'mongoose'
import type { Schema } from 'mongoose'
import { readConfig as authConfig } from '../../services/auth/src/config.ts'
import { createContext as openAuth } from '../../services/auth/src/context.ts'
import { readConfig as billingConfig } from '../../services/billing/src/config.ts'
import { createContext as openBilling } from '../../services/billing/src/context.ts'
import { readConfig as messagingConfig } from '../../services/messaging/src/config.ts'
import { createContext as openMessaging } from '../../services/messaging/src/context.ts'
import { readConfig as notifyConfig } from '../../services/notify/src/config.ts'
import { createContext as openNotify } from '../../services/notify/src/context.ts'
import { withDatabase } from '../kit/database.ts'
import { openNamespace } from '../kit/namespace.ts'
import type { Namespace } from '../kit/namespace.ts'
import { documentedEvents, documentedFields, isDocumented, leftOnDay30 } from '../kit/stored-fields.ts'

let namespace: Namespace
let opened: { close(): Promise<unknown> }[] = []
beforeAll(async () => {
  namespace = await openNamespace()
  const { environmentOf } = namespace
  opened = await Promise.all([
    openAuth(authConfig(environmentOf('auth'))),
    openBilling(billingConfig(environmentOf('billing'))),
    openMessaging(messagingConfig(environmentOf('messaging'))),
    openNotify(notifyConfig(environmentOf('notify'))),
  ])
})
afterAll(async () => {
  await Promise.all(opened.map((context) => context.close()))
  await namespace?.close()
})

/** The paths of a schema, except paths that only lead to others. */
const pathsOfSchema = (schema: Schema): string[] =>
  Object.entries(schema.paths)
    .filter(([path, type]) => type.instance !== 'Map' && path !== '__v')
    .flatMap(([path, type]) => {
      const name = path.replace('$*', '*')
      const inner = (type as { schema?: Schema }).schema
      return inner ? pathsOfSchema(inner).map((below) => `${name}.${below}`) : [name]
    })

/** The fields of each model of the services, by `database.collection`. */
const modelled = (): Map<string, string[]> =>
  new Map(
    mongoose.connections
      .filter((connection) => String(connection.name).startsWith(`${namespace.namespace}_`))
      .flatMap(({ name, models }) =>
        Object.values(models).map((model) => [
          `${name.replace(`${namespace.namespace}_`, '')}.${model.collection.name}`,
          pathsOfSchema(model.schema),
        ]),
      ),
  )

const documented = documentedFields()
const fieldsOf = (collection: string): ReadonlySet<string> => documented.get(collection) ?? new Set()

describe('the table of stored fields', () => {
  it('has every field of every schema', () => {
    const models = modelled()
    expect(models.size).toBeGreaterThan(25)
    const missing = [...models].flatMap(([collection, paths]) =>
      paths
        .filter((path) => !isDocumented(path, fieldsOf(collection)))
        .map((path) => `${collection}.${path}`),
    )
    expect(missing).toEqual([])
  })

  it('has no field that a schema lacks', () => {
    const models = modelled()
    const unknown = [...documented].flatMap(([collection, fields]) => {
      const paths = models.get(collection)
      // Fields below a path without a schema of its own are only known from documents.
      return [...fields]
        .filter((field) => paths && !paths.some((path) => field === path || field.startsWith(`${path}.`)))
        .map((field) => `${collection}.${field}`)
    })
    expect(unknown).toEqual([])
  })

  it('has every collection that the migrations make', async () => {
    const found: string[] = []
    for (const owner of databaseOwners)
      await withDatabase(namespace, owner, async (database) => {
        for (const { name } of await database.listCollections()) found.push(`${owner}.${name}`)
      })
    expect(found.length).toBeGreaterThan(25)
    expect(found.filter((collection) => !documented.has(collection))).toEqual([])
  })

  it('has every event with its fields and the time for which Kafka keeps it', () => {
    const actual = Object.values(allEvents).map(({ type, topic, data }) => {
      const fields = new Set(Object.keys((data as { shape?: object }).shape ?? {}))
      const retentionMs = Number(topics.find(({ name }) => name === topic)?.config['retention.ms'])
      return [type, { fields, hours: retentionMs / 3_600_000 }] as const
    })
    expect(documentedEvents()).toEqual(new Map(actual))
  })

  it('names among what is left on day 30 only fields that it has', () => {
    const all = [...documented].flatMap(([collection, fields]) =>
      [...fields].map((field) => `${collection}.${field}`),
    )
    expect(all).toEqual(expect.arrayContaining(leftOnDay30()))
  })
})
