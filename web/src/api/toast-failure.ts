import { toast } from '../shared/ui/toast.ts'
import { sentenceOf } from './base-api.ts'

/** Says that a call failed, in the server's own sentence where there is one. */
export const toastFailure = (title: string, error: unknown): void =>
  toast({ title, description: sentenceOf(error, 'Please try again.'), variant: 'destructive' })
