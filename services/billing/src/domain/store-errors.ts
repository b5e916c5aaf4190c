import { AppError } from '@sumlock/service-kit/app-error'

export const purchaseInvalid = (cause?: unknown) =>
  new AppError(
    'invalid',
    'purchase_invalid',
    'The store does not confirm this purchase. Nothing was changed. If you were charged, choose "Restore purchases".',
    {},
    { cause },
  )

export const purchaseTaken = () =>
  new AppError(
    'conflict',
    'purchase_taken',
    'This subscription belongs to another account. Sign in to that account to use it.',
  )

export const storeUnavailable = (cause?: unknown) =>
  new AppError(
    'unavailable',
    'store_unavailable',
    'The store cannot be reached right now. Your purchase is not lost: please try again in a few minutes.',
    {},
    { cause },
  )

export const signatureInvalid = (cause?: unknown) =>
  new AppError('invalid', 'signature_invalid', 'The signature of this request is not valid.', {}, { cause })
