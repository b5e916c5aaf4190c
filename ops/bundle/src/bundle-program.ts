import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'

/** Packages with machine code of their own; the program loads them from node_modules. */
const native = ['bcrypt']

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
 * Writes a program and all packages that it imports to `<folder>/main.cjs`; what it imports later runs later. The folder is
 * emptied first. Names and lines stay, so that stack traces can be read. It is a CommonJS module, because `import` of `node:http`
 * loads Node's client of fetch with it, which takes 14 MB; so a program cannot have an `await` outside of functions.
 */
export async function bundleProgram(source: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: source },
    platform: 'node',
    external: native,
    plugins: [asciiOnly],
    logLevel: 'warn',
    transform: { define: { 'import.meta.dirname': '__dirname' } },
  })
  try {
    await bundle.write({
      dir: folder,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      cleanDir: true,
      codeSplitting: false,
      minify: 'dce-only',
      comments: false,
      keepNames: true,
    })
  } finally {
    await bundle.close()
  }
}
