import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const gateway = process.env['GATEWAY_URL'] ?? 'http://localhost:4000'

const library = /[\\/]node_modules[\\/]|vite[\\/]|^\0/
/** What may say what the product is: the screens behind the lock, and those that do so to the specification's letter. */
const behind =
  /app\/(?:inner-|InnerRoutes)|features\/(?:messaging|settings)\/|legal-documents|next-address|libs\/sync\//

/** One neutral letter for each kind of chunk; the disguise test reads them: `b` libraries, `c` ours, `d` behind the lock. */
const letterOf = (modules: readonly string[]) => {
  if (modules.every((id) => library.test(id))) return 'b'
  return modules.some((id) => behind.test(id)) ? 'd' : 'c'
}

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    // Neutral names: a list of files must not tell what is behind the calculator.
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/a-[hash].js',
        chunkFileNames: ({ moduleIds }) => `assets/${letterOf(moduleIds)}-[hash].js`,
        assetFileNames: 'assets/r-[hash][extname]',
        // Libraries use words of their own, so the test can read only what is ours.
        codeSplitting: { groups: [{ name: 'libraries', test: library, entriesAware: true }] },
      },
    },
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: {
    port: 4001,
    strictPort: true,
    proxy: { '/api': { target: gateway }, '/ws': { target: gateway, ws: true } },
  },
})
