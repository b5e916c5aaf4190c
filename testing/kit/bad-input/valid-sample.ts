import { z } from 'zod'

/** One of these fits nearly every scalar; a field that none fits has to bring its own (`known`). */
const candidates: readonly unknown[] = [
  '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b',
  '2468',
  '135790',
  '+15550001234',
  'somebody@example.com',
  'correct-horse',
  '2030-01-01T00:00:00.000Z',
  1,
  true,
]

/**
 * An input the schema accepts, with as few optional fields as it takes. `known` gives the value of a field by name,
 * where only a real one will do. Throws when no candidate fits a field.
 */
export function validSample(schema: z.ZodType, known: Readonly<Record<string, unknown>> = {}): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return validSample(schema.unwrap() as z.ZodType, known)
  if (schema instanceof z.ZodObject) return objectSample(schema, known)
  if (schema instanceof z.ZodArray) return [validSample(schema.element as z.ZodType, known)]
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodLiteral) return schema.value
  const found = candidates.find((candidate) => schema.safeParse(candidate).success)
  if (found === undefined) throw new Error('No candidate fits this schema: add one, or name a known value.')
  return found
}

function objectSample(schema: z.ZodObject, known: Readonly<Record<string, unknown>>): object {
  const sampleOf = (name: string) => {
    try {
      return [name, known[name] ?? validSample(schema.shape[name] as z.ZodType, known)] as const
    } catch (cause) {
      throw new Error(`Field ${name} has no valid sample`, { cause })
    }
  }
  const isOptional = (name: string) => (schema.shape[name] as z.ZodType).safeParse(undefined).success
  const names = Object.keys(schema.shape)
  const required = names.filter((name) => !isOptional(name))
  for (const extra of subsets(names.filter(isOptional))) {
    const sample = Object.fromEntries([...required, ...extra].map(sampleOf))
    if (schema.safeParse(sample).success) return sample
  }
  throw new Error(`No choice of optional fields makes a valid object of ${names.join(', ')}`)
}

/** All subsets, small ones first. */
function subsets(names: readonly string[]): string[][] {
  const all = names.reduce<string[][]>((sets, name) => [...sets, ...sets.map((set) => [...set, name])], [[]])
  return all.sort((left, right) => left.length - right.length)
}
