import { createApi } from '@reduxjs/toolkit/query/react'
import { pageOf } from '../page.ts'
import type { ApiError, ApiRequest } from './client.ts'

/**
 * All features share this API. They inject their endpoints and tag types, so that the entry chunk contains only its
 * own.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: async (input: ApiRequest, { signal, ...rest }) => {
    const answer = await pageOf(rest).client.request(input, signal)
    return 'error' in answer ? { error: answer.error } : { data: answer.data, meta: { total: answer.total } }
  },
  tagTypes: ['User'],
  endpoints: () => ({}),
})

/** Returns the error of a failed call; undefined if the error has another origin. */
export const asApiError = (error: unknown): ApiError | undefined =>
  typeof error === 'object' && error !== null && 'status' in error && 'code' in error
    ? (error as ApiError)
    : undefined

/** Returns the server's sentence about a failure; without one, the fallback. */
export const sentenceOf = (error: unknown, fallback: string): string =>
  asApiError(error)?.sentence || fallback
