import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'

/** Packages with machine code of their own; the program loads them from node_modules. */
const native = ['bcrypt']

/** Node decodes the whole map at the first stack trace: with all packages that is 80 MB a process. */
const packagesWithoutMap: Plugin = {
  name: 'packages-without-map',
  transform: {
    filter: { id: /node_modules.*\.[cm]?js$/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
}

/**
 * Writes a program and all packages that it imports to `<folder>/main.cjs`, with its source map. Dynamic imports stay
 * lazy. The folder is emptied first. It is a CommonJS module, so a program cannot have an `await` outside of functions.
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
      // Node reads the whole map at the start; names and lines are enough.
      sourcemapExcludeSources: true,
    })
  } finally {
    await bundle.close()
  }
}
