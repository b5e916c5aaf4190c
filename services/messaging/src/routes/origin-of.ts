import type { Context } from '../context.ts'

/** Returns the origin that the browser called or, if that is not listed, the first listed one. */
export function originOf({ config }: Context, host: string | undefined): string {
  const origins = config.PUBLIC_ORIGINS
  return origins.find((origin) => new URL(origin).host === host) ?? (origins[0] as string)
}
