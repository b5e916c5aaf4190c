/**
 * Flags of V8 for every service process, besides those in service-runtime.env, which NODE_OPTIONS may hold. The young generation has
 * this size, MB, until a busy process enlarges it (libs/service-kit/src/memory.ts).
 */
export const serviceNodeFlags = ['--min-semi-space-size=2'] as const
