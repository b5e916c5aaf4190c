import type { Engines } from '@sumlock/stack/engines'

/** What the global set-up started, for the global tear-down in the same process. */
export const running: { engines?: Engines; dataDir?: string } = {}
