/** The only flag of Node for every service process: stack traces name the lines of the sources. */
export const serviceNodeFlags = ['--enable-source-maps'] as const
