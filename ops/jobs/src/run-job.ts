/** Runs a job to its end: one line in the log, exit code 0, or the reason and exit code 1. */
export async function runJob(name: string, job: () => Promise<string>): Promise<never> {
  try {
    process.stdout.write(`${name}: ${await job()}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(
      `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    process.exit(1)
  }
}
