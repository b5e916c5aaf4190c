/** Jest requires a default export. */
export { stopRunningEngines as default } from './running-engines.ts'
