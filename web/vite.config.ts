import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { precacheList } from './src/offline/precache-list.ts'

const gateway = process.env['GATEWAY_URL'] ?? 'http://localhost:4000'

/** Writes the service worker with the list of what it keeps; its text changes with each release. */
function offlineWorker(): Plugin {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path))
  const publicFiles = readdirSync(join(import.meta.dirname, 'public'))
  return {
    name: 'offline-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const files = precacheList(
        chunks.map((chunk) => ({ ...chunk, css: [...(chunk.viteMetadata?.importedCss ?? [])] })),
        publicFiles,
      )
      const release = createHash('sha256').update(files.join())
      for (const path of ['index.html', ...publicFiles.map((file) => `public/${file}`)])
        release.update(read(path))
      const source = read('src/offline/worker.js')
        .toString()
        .replace('__RELEASE__', release.digest('hex').slice(0, 12))
        .replace("'__FILES__'", files.map((file) => JSON.stringify(file)).join(', '))
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), offlineWorker()],
  build: {
    // Neutral names: a list of files must not tell what is behind the calculator.
    rollupOptions: {
      output: {
        entryFileNames: 'assets/a-[hash].js',
        chunkFileNames: 'assets/c-[hash].js',
        assetFileNames: 'assets/r-[hash][extname]',
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
