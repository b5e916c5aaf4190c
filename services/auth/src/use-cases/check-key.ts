import { ECDH } from 'node:crypto'
import type { Identity } from '@sumlock/contracts/identity-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'

/**
 * Throws unless the public half is a point of P-256 and the share comes from a known secret. Errors name the fields with
 * `path` in front.
 */
export function checkKey({ keyShares }: Context, { pub, sk }: Identity, path = ''): void {
  if (!isPoint(pub)) throw invalid(`${path}pub`, 'Must be a point of P-256.')
  if (!keyShares.knows(sk)) throw invalid(`${path}sk`, 'Must be the id of a share.')
}

const invalid = (field: string, sentence: string) =>
  new AppError('invalid', 'invalid_request', sentence, { fields: { [field]: sentence } })

function isPoint(pub: string): boolean {
  try {
    ECDH.convertKey(pub, 'prime256v1', 'base64url', 'hex', 'uncompressed')
    return true
  } catch {
    return false
  }
}
