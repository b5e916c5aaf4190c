/** Jest demands a default export. */
export { stopRunningEngines as default } from './running-engines.ts'
