import { rmSync, writeFileSync } from 'node:fs'

const titleOf = (test) => test.titlePath().filter(Boolean).join(' › ')

/**
 * Writes what is running, files of Jest or tests of Playwright, to a file next to the suite's report, so that the place
 * where a run hangs can be found. Both tools require a default export and pass `outputFile`.
 */
export default class RunningReporter {
  #file
  #running = new Map()

  constructor({ outputFile } = {}) {
    this.#file = outputFile?.replace(/\.json$/, '.running')
  }

  onTestFileStart = ({ path }) => this.#write(this.#running.set(path, new Date().toISOString()))
  onTestFileResult = ({ path }) => this.#write(this.#running.delete(path))
  onTestBegin = (test) => this.onTestFileStart({ path: titleOf(test) })
  onTestEnd = (test) => this.onTestFileResult({ path: titleOf(test) })
  onRunComplete = () => this.#file && rmSync(this.#file, { force: true })
  onEnd = () => this.onRunComplete()

  #write() {
    if (!this.#file) return
    writeFileSync(this.#file, [...this.#running].map(([name, since]) => `${since} ${name}\n`).join(''))
  }
}
