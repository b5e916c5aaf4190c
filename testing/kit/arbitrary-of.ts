import fc from 'fast-check'
import { z } from 'zod'

/** Returns one value that the schema accepts. It is the same on every call. */
export const sampleOf = (schema: z.ZodType): unknown =>
  fc.sample(arbitraryOf(schema), { seed: 7, numRuns: 1 })[0]

/** Generates values that the schema accepts. Throws for an unsupported kind of schema. */
export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  return candidates(schema).filter((value) => schema.safeParse(value).success)
}

function candidates(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return arbitraryOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodObject) return objectsOf(schema.shape)
  if (schema instanceof z.ZodArray)
    return fc.array(arbitraryOf(schema.element as z.ZodType), { maxLength: 3 })
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNumber) return fc.nat(3650)
  if (schema instanceof z.ZodUUID) return fc.uuid()
  if (schema instanceof z.ZodISODateTime)
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  if (schema instanceof z.ZodEmail) return fc.emailAddress()
  if (schema instanceof z.ZodString) return stringsOf(schema)
  throw new Error(`There is no arbitrary for a schema of type ${schema.type}.`)
}

const objectsOf = (shape: Readonly<Record<string, z.ZodType>>) =>
  fc.record(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, arbitraryOf(field)])))

function stringsOf(schema: z.ZodString): fc.Arbitrary<string> {
  const { pattern } = z.toJSONSchema(schema)
  return pattern === undefined ? fc.string() : fc.stringMatching(new RegExp(pattern))
}
