// Copied to dist/main.cjs. Runs dist/program.cjs with what V8 compiled of it before: `node main.cjs --compile` writes that to
// dist/program.cache, under the same flags. Node's own compile cache would keep all of it in memory, 2 to 4 MB a process.
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { Script } = require('node:vm')

const program = `${__dirname}/program.cjs`
const cache = `${__dirname}/program.cache`
const isCompiling = process.argv[2] === '--compile'

const script = new Script(wrap(readFileSync(program, 'latin1')), {
  filename: program,
  cachedData: !isCompiling && existsSync(cache) ? readFileSync(cache) : undefined,
})
if (script.cachedDataRejected)
  console.error(`${cache} is of another Node or of other flags; the program is compiled again`)
if (isCompiling) process.on('exit', () => writeFileSync(cache, script.createCachedData()))
script.runInThisContext()(exports, require, module, program, __dirname)
