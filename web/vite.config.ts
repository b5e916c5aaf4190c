import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const gateway = process.env['GATEWAY_URL'] ?? 'http://localhost:4000'

export default defineConfig({
  plugins: [react(), tailwindcss()],
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
