/**
 * Flags of V8 for every service process, besides those in service-runtime.env, which NODE_OPTIONS may hold. By default the old
 * generation may grow to a multiple before it is collected, which takes 70 MB more over six services at 200 messages/s.
 */
export const serviceNodeFlags = ['--heap-growing-percent=30'] as const
