import { buildPreparation } from '../build-preparation.ts'

// Vite's bundler does not run inside Jest, so the test starts this as a process of its own.
const [, , folder = ''] = process.argv
await buildPreparation(folder, 'e2e/corpus-page.ts')
