import { dirname, join } from 'node:path'
import { bundleProgram } from '../bundle-program.ts'

// bundle.ts services/auth/src/main.ts …   Writes each program to the folder `dist` next to its source folder.
for (const source of process.argv.slice(2)) await bundleProgram(source, join(dirname(source), '../dist'))
