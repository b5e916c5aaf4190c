import { rmSync, writeFileSync } from 'node:fs'

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

  onTestFileStart({ path }) {
    this.#started(path)
  }

  onTestFileResult({ path }) {
    this.#ended(path)
  }

  onTestBegin(test) {
    this.#started(test.titlePath().filter(Boolean).join(' › '))
  }

  onTestEnd(test) {
    this.#ended(test.titlePath().filter(Boolean).join(' › '))
  }

  onRunComplete() {
    this.onEnd()
  }

  onEnd() {
    if (this.#file) rmSync(this.#file, { force: true })
  }

  #started(name) {
    this.#running.set(name, new Date().toISOString())
    this.#write()
  }

  #ended(name) {
    this.#running.delete(name)
    this.#write()
  }

  #write() {
    if (!this.#file) return
    writeFileSync(this.#file, [...this.#running].map(([name, since]) => `${since} ${name}\n`).join(''))
  }
}
