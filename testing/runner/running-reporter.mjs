import { rmSync, writeFileSync } from 'node:fs'

const titleOf = (test) => test.titlePath().filter(Boolean).join(' › ')

/**
 * Reporter for Jest (by test file) and Playwright (by test): keeps what is running in a file beside the suite's
 * report, so that a run that hangs can say where. Both tools demand a default export and pass `outputFile`.
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
