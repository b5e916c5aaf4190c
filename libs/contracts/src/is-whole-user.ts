/** Tells a whole user (or account) from the reduced one of discreet mode. Without zod, so that the first page may use it. */
export const isWholeUser = <T extends { id: string }>(user: T): user is Extract<T, { userCode: string }> =>
  'userCode' in user
