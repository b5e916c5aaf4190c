import { stopRunningEngines } from './running-engines.ts'

/** Jest demands the default export. */
// eslint-disable-next-line no-restricted-syntax
export default async function teardown(): Promise<void> {
  await stopRunningEngines()
}
