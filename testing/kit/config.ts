/** Returns whether this process or a parent of it has announced running engines. */
export const enginesAreRunning = (): boolean => Boolean(process.env['SUMLOCK_TEST_ENGINES'])

/** Returns the path of the file with the addresses of the running engines. */
export const enginesFile = (): string => {
  const path = process.env['SUMLOCK_TEST_ENGINES']
  if (!path) throw new Error('No engines are running: start the tests with `npm run test:integration`.')
  return path
}

/** Announces the file with the engines' addresses to this process and its children; an empty path withdraws it. */
export const announceEnginesFile = (path: string): void => {
  process.env['SUMLOCK_TEST_ENGINES'] = path
}

/** True if the engines of the suites run in containers instead of as processes of this machine. */
export const enginesInContainers: boolean = process.env['SUMLOCK_ENGINES_MODE'] === 'containers'

/** `full` tests the product's target sizes; `small` fits into every run. */
export const testSize: 'small' | 'full' = process.env['SUMLOCK_TEST_SIZE'] === 'full' ? 'full' : 'small'

export const sized = <T>(sizes: { small: T; full: T }): T => sizes[testSize]

export const nameOfSize: string = testSize === 'full' ? 'full size' : 'small size'

/**
 * Random faults follow from this seed. It is new for each run; `SUMLOCK_TEST_SEED` repeats a failed run, which has
 * printed its seed.
 */
export const testSeed = (): number =>
  Number(process.env['SUMLOCK_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000))

/** Redis hangs under load for this time. The target is ten minutes: `SUMLOCK_TEST_HANG_SECONDS=600`. */
export const hangSeconds = Number(process.env['SUMLOCK_TEST_HANG_SECONDS'] ?? 60)

/** Each flood of strangers lasts for this time. `SUMLOCK_TEST_FLOOD_SECONDS=60` makes it a minute. */
export const floodSeconds = Number(process.env['SUMLOCK_TEST_FLOOD_SECONDS'] ?? 5)

/**
 * Actions that must be indistinguishable are each repeated this often, in turn. `SUMLOCK_TEST_TURNS=500` makes it 500
 * times.
 */
export const manyTurns = Number(process.env['SUMLOCK_TEST_TURNS'] ?? 60)

const rows = process.env['SUMLOCK_TEST_MANY_ROWS']
/**
 * Tests store this many rows, of which one command may write only a part. `SUMLOCK_TEST_MANY_ROWS=300000` sets the
 * number of a busy person and prints figures.
 */
export const manyRows = { count: Number(rows ?? 6000), areMeasured: rows !== undefined }

/** Processes are killed at this many points of one action. `SUMLOCK_TEST_KILLS=20` makes it 20. */
export const killPoints = Number(process.env['SUMLOCK_TEST_KILLS'] ?? 2)
