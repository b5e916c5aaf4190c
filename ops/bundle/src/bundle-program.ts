import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'

/** These packages contain machine code, so the program loads them from node_modules. */
const native = ['bcrypt']

/**
 * Node decodes the whole source map at the first stack trace. With all packages in it, that would take 80 MB per
 * process.
 */
const packagesWithoutMap: Plugin = {
  name: 'packages-without-map',
  transform: {
    filter: { id: /node_modules.*\.[cm]?js$/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
}

/**
 * Writes a program and all packages that it imports to `<folder>/main.cjs`, with a source map. The folder is emptied
 * first. Dynamic imports still load their module only when they run. The file is a CommonJS module, so the program
 * cannot have an `await` outside of functions.
 */
export async function bundleProgram(source: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: source },
    platform: 'node',
    external: native,
    plugins: [packagesWithoutMap],
    logLevel: 'warn',
    transform: { define: { 'import.meta.dirname': '__dirname' } },
  })
  try {
    await bundle.write({
      dir: folder,
      format: 'cjs',
      entryFileNames: 'main.cjs',
      cleanDir: true,
      codeSplitting: false,
      sourcemap: true,
      // Node reads the whole map at the start. Stack traces need names and lines of it, but not the sources.
      sourcemapExcludeSources: true,
    })
  } finally {
    await bundle.close()
  }
}
