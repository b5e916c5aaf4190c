/** Replaces random parts of a value: each text by its length, each number and date by its kind. */
export function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return `${value.length} characters`
  if (typeof value === 'bigint') return 'number'
  if (value === null || typeof value !== 'object') return typeof value === 'boolean' ? value : typeof value
  if (Array.isArray(value)) return value.map(shapeOf)
  const { constructor } = value
  if (constructor !== Object) return constructor.name
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}
