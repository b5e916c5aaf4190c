/** Returns the field of the unique index that refused a write; undefined for every other error. */
export function duplicateField(error: unknown): string | undefined {
  const { code, keyPattern } = (error ?? {}) as { code?: number; keyPattern?: Record<string, number> }
  return code === 11000 ? Object.keys(keyPattern ?? {})[0] : undefined
}
