import { duplicateField } from '../stores/duplicate-field.ts'

/** Resolves like `prove`, or with null when another account has proven the address before. */
export async function unlessProvenElsewhere<T>(prove: () => Promise<T>): Promise<T | null> {
  try {
    return await prove()
  } catch (error) {
    if (duplicateField(error) === 'emailKey') return null
    throw error
  }
}
