/** Whether this process or a parent of it has announced running engines. */
export const enginesAreRunning = (): boolean => Boolean(process.env['SUMLOCK_TEST_ENGINES'])

/** File with the addresses of the running engines. */
export const enginesFile = (): string => {
  const path = process.env['SUMLOCK_TEST_ENGINES']
  if (!path) throw new Error('No engines are running: start the tests with `npm run test:integration`.')
  return path
}

/** Sets the path of the addresses for this process and its children; an empty path removes it. */
export const announceEnginesFile = (path: string): void => {
  process.env['SUMLOCK_TEST_ENGINES'] = path
}

/** The engines of the suites run in containers, and not as processes of this machine (or `external` ones). */
export const enginesInContainers: boolean = process.env['SUMLOCK_ENGINES_MODE'] === 'containers'

/** `full` is the size of the product's targets; `small` fits into every run. */
export const testSize: 'small' | 'full' = process.env['SUMLOCK_TEST_SIZE'] === 'full' ? 'full' : 'small'

export const sized = <T>(sizes: { small: T; full: T }): T => sizes[testSize]

export const nameOfSize: string = testSize === 'full' ? 'full size' : 'small size'

/** Seed of random faults: a new one each run, or the one a failed run printed (`SUMLOCK_TEST_SEED`). */
export const testSeed = (): number =>
  Number(process.env['SUMLOCK_TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000))

/** The time for which Redis hangs under load; `SUMLOCK_TEST_HANG_SECONDS=600` makes it ten minutes. */
export const hangSeconds = Number(process.env['SUMLOCK_TEST_HANG_SECONDS'] ?? 60)

/** The time of each flood of strangers; `SUMLOCK_TEST_FLOOD_SECONDS=60` makes it a minute. */
export const floodSeconds = Number(process.env['SUMLOCK_TEST_FLOOD_SECONDS'] ?? 5)

/** How often actions that must look the same are repeated in turn; `SUMLOCK_TEST_TURNS=500` makes it 500 times each. */
export const manyTurns = Number(process.env['SUMLOCK_TEST_TURNS'] ?? 60)

const rows = process.env['SUMLOCK_TEST_MANY_ROWS']
/**
 * One command may write fewer rows than this. `SUMLOCK_TEST_MANY_ROWS=300000` sets the number of a busy person and
 * prints figures.
 */
export const manyRows = { count: Number(rows ?? 6000), areMeasured: rows !== undefined }
