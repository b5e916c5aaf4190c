import { duplicateField } from '../stores/duplicate-field.ts'

/** Resolves like `prove`, or with null when the unique index shows that another account has proven the address. */
export async function unlessProvenElsewhere<T>(prove: () => Promise<T>): Promise<T | null> {
  try {
    return await prove()
  } catch (error) {
    if (duplicateField(error) === 'emailKey') return null
    throw error
  }
}
