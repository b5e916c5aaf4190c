/** With this flag of Node, stack traces name the lines of the sources. Services run with no other flag. */
export const serviceNodeFlags = ['--enable-source-maps'] as const
