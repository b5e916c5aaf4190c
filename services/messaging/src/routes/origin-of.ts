import type { Context } from '../context.ts'

/** The origin that the browser used, if it is one of ours. */
export function originOf({ config }: Context, host: string | undefined): string {
  const origins = config.PUBLIC_ORIGINS
  return origins.find((origin) => new URL(origin).host === host) ?? (origins[0] as string)
}
