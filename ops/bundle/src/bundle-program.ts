import { rolldown } from 'rolldown'

/** Packages with machine code of their own; the program loads them from node_modules. */
const native = ['bcrypt']

/**
 * Writes a program and all packages that it imports to `<folder>/main.cjs`, and its source map beside it. Dynamic imports stay
 * lazy. The folder is emptied first. It is a CommonJS module, so a program cannot have an `await` outside of functions.
 */
export async function bundleProgram(source: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: source },
    platform: 'node',
    external: native,
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
