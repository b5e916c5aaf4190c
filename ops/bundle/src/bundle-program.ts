import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'

/** Packages with machine code of their own; the program loads them from node_modules. */
const native = ['bcrypt']

const standInFolder = join(import.meta.dirname, 'stand-ins')
/** Takes the place of a package that needs much memory for little; the stand-in itself may import the package. */
const standIns: Plugin = {
  name: 'stand-ins',
  resolveId(id, importer) {
    if (importer?.startsWith(standInFolder)) return null
    if (id === 'whatwg-url') return join(standInFolder, 'whatwg-url.ts')
    if (id === '@mongodb-js/saslprep') return join(standInFolder, 'saslprep.cjs')
    if (id === 'body-parser') return join(standInFolder, 'body-parser.cjs')
    return null
  },
}

/** Express asks for the type of a file name only; 1,500 of 2,500 types belong to none. */
const typesOfFiles: Plugin = {
  name: 'types-of-files',
  transform(code, id) {
    if (!id.endsWith('/mime-db/db.json')) return null
    const types = Object.entries(JSON.parse(code) as Record<string, { extensions?: string[] }>)
    return JSON.stringify(Object.fromEntries(types.filter(([, { extensions }]) => extensions)))
  },
}

/** V8 keeps the text of a program with one other character in twice the memory. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replace(/[\u0080-\uffff]/g, escaped)
  },
}
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Writes a program and all packages that it imports to `<folder>/program.cjs`, and beside it `main.cjs`, which runs it (loader.cjs).
 * Dynamic imports stay lazy. The folder is emptied first. Functions and classes keep their names, so that stack traces
 * can be read; variables get short ones, and blanks, line ends and code without effect go, since V8 keeps the text and the place of each line in memory.
 * It is a CommonJS module, because `import` of `node:http` loads Node's client of fetch with it, which takes 14 MB; so a program
 * cannot have an `await` outside of functions.
 */
export async function bundleProgram(source: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: source },
    platform: 'node',
    external: native,
    plugins: [standIns, typesOfFiles, asciiOnly],
    logLevel: 'warn',
    transform: { define: { 'import.meta.dirname': '__dirname' } },
  })
  try {
    await bundle.write({
      dir: folder,
      format: 'cjs',
      // The loader would need an experimental flag for `import()`.
      dynamicImportInCjs: false,
      entryFileNames: 'program.cjs',
      cleanDir: true,
      codeSplitting: false,
      minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
      comments: false,
      keepNames: true,
    })
    await copyFile(join(import.meta.dirname, 'loader.cjs'), join(folder, 'main.cjs'))
  } finally {
    await bundle.close()
  }
}
