/**
 * Returns whether a user or account has all fields, unlike the reduced one of discreet mode. The file does not use
 * zod, so that the first page can load it.
 */
export const isWholeUser = <T extends { id: string }>(user: T): user is Extract<T, { userCode: string }> =>
  'userCode' in user
