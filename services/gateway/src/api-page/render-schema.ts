import type { JsonSchema } from '@sumlock/contracts/openapi/schema-collector'
import { html, prose } from './html.ts'
import type { Html } from './html.ts'

const referenced = /^#\/components\/schemas\/(\w+)$/

/** The type in words, and below it the fields of an object or of what a list or a choice holds. */
export function renderSchema(schema: JsonSchema): Html {
  return html`<span class="type">${typeOf(schema)}</span
    >${bounds(schema)}${objectsIn(schema).map(renderFields)}`
}

function renderFields({ properties = {}, required = [] }: JsonSchema): Html {
  const names = required as readonly string[]
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const { description } = schema
    return html`<li>
      <code>${name}</code> ${names.includes(name) ? undefined : html`<span class="optional">optional</span>`}
      ${renderSchema(schema)}
      ${typeof description === 'string' ? html`<p>${prose(description)}</p>` : undefined}
    </li>`
  })
  return fields.length > 0
    ? html`<ul class="fields">
        ${fields}
      </ul>`
    : html``
}

function typeOf(schema: JsonSchema): Html {
  const { $ref, const: literal, enum: values, anyOf, items, format, type } = schema
  const [, name] = referenced.exec(typeof $ref === 'string' ? $ref : '') ?? []
  if (name) return html`<a href="#schema-${name}">${name}</a>`
  if (literal !== undefined) return html`<code>${JSON.stringify(literal)}</code>`
  if (Array.isArray(values)) return oneOf(values.map((value) => html`<code>${String(value)}</code>`))
  // Alternatives of an object that is described itself only narrow it.
  if (Array.isArray(anyOf) && !schema['properties']) {
    return oneOf(anyOf.map((option) => typeOf(option as JsonSchema)))
  }
  if (items) return html`list of ${typeOf(items as JsonSchema)}`
  if (Array.isArray(type)) return oneOf(type.map((each) => html`${String(each)}`))
  if (typeof format === 'string') return html`${format}`
  return html`${typeof type === 'string' ? type : 'anything'}`
}

const oneOf = (options: readonly Html[]): Html =>
  html`${options.map((option, at) => (at === 0 ? option : html` or ${option}`))}`

const boundNames: Record<string, string> = {
  minLength: 'at least',
  maxLength: 'at most',
  minimum: 'from',
  maximum: 'to',
  minItems: 'at least',
  maxItems: 'at most',
  default: 'default',
}

function bounds(schema: JsonSchema): Html | undefined {
  const known = Object.entries(boundNames)
    // The largest whole number there is limits nothing.
    .filter(([key]) => schema[key] !== undefined && schema[key] !== Number.MAX_SAFE_INTEGER)
    .map(([key, words]) => `${words} ${String(schema[key])}`)
  return known.length > 0 ? html` <span class="bounds">${known.join(', ')}</span>` : undefined
}

function objectsIn(schema: JsonSchema): JsonSchema[] {
  if (schema['properties']) return [schema]
  const inside = [schema['items'], ...((schema['anyOf'] as unknown[] | undefined) ?? [])]
  return inside.flatMap((each) => (each ? objectsIn(each as JsonSchema) : []))
}
