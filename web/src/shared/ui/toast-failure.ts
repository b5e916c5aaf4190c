import { toast } from './toast.ts'
import { sentenceOf } from '../../api/base-api.ts'

/** Shows that a call failed, with the server's sentence if there is one. */
export const toastFailure = (title: string, error: unknown): void =>
  toast({ title, description: sentenceOf(error, 'Please try again.'), variant: 'destructive' })
