import { createChild } from '../processes/child.ts'
import { step } from '../processes/progress.ts'
import { claimRun } from '../processes/run-record.ts'

// A product of one child, for tests. The child starts a grandchild in a session of its own, which survives the end of
// its parent.
const [dataDir = '', port = ''] = process.argv.slice(2)
const progress = (line: string) => process.stdout.write(`${line}\n`)
const grandchild = `require('node:net').createServer().listen(${port}, '127.0.0.1')`
await claimRun(dataDir, { command: 'npm start', url: 'http://localhost:1' }, progress)
const child = createChild({
  name: 'parent',
  command: process.execPath,
  args: [
    '-e',
    `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { detached: true }); setInterval(() => {}, 1e6)`,
  ],
  logDir: dataDir,
  port: Number(port),
})
await step(progress, 'Starting', () => child.start())
