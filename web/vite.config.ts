import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, runnerImport } from 'vite'
import type { Plugin } from 'vite'
import { compressFiles } from './src/features/device/compress-files.ts'
import { precacheList } from './src/features/device/precache-list.ts'

const gateway = process.env['GATEWAY_URL'] ?? 'http://localhost:4000'

const library = /[\\/]node_modules[\\/]|vite[\\/]|^\0|^__vite/
/** Folders that must not name the product. The screens of signed-in people are in the other folders. */
const discreet = 'admin|auth|calculator|device|legal|lock|mail-links|not-found|session|unlock'
/** Modules that may name the product: those screens, and the legal documents, whose text the specification gives. */
const behind = new RegExp(
  [
    String.raw`app/(?:SignedInRoutes|unlocked-screens|next-screen|chunks/(?:signed-in|unlocked))`,
    String.raw`features/(?!(?:${discreet})/|sealed/own-keys)`,
    'legal-documents|ResendVerificationButton|libs/sync/',
  ].join('|'),
)

/** The app behind the first page needs these libraries. */
const appLibraries =
  /[\\/]node_modules[\\/](?:@reduxjs|react-redux|react-router|@radix-ui[\\/]react-toast)[\\/]/
/** Most screens behind the calculator need these. */
const screenLibraries = /[\\/]node_modules[\\/](?:lucide-react|@radix-ui[\\/]react-(?:tabs|tooltip))[\\/]/

const oneOf = (...parts: string[]) => new RegExp(`(?:${parts.join('|')})`)

/**
 * Modules that are needed at the same moment share a chunk, because each file costs a round trip. A group also takes
 * what its modules import, unless an earlier group has it.
 */
const groups = {
  /** Code that the first page's parts and all others share: separate files would cost the first page their names. */
  app: oneOf(
    String.raw`src/(?:page|is-whole-user)\.ts`,
    String.raw`features/device/(?:promo-link|stored-copies)\.ts`,
    String.raw`features/sealed/own-keys\.ts`,
    'lib/lazy-part',
    'document-parts',
    'contracts/src/price',
  ),
  calculator: oneOf('app/start-app'),
  /** Every screen behind the calculator needs these. The excluded module needs a library of its own. */
  screens: oneOf(
    'app/InnerRoutes',
    'src/shared/(?:lib|ui)/(?!QrCode)',
    String.raw`contracts/src/(?:has-text|registration-limits)\.`,
  ),
  /** The settings use the phone step of the sign-up. */
  signIn: oneOf('app/sign-in', 'features/auth/(?:PhoneStep|sign-up-rules|use-phone-code)'),
  signedIn: oneOf('app/(?:SignedInRoutes|next-screen|chunks/signed-in)', 'features/media/size-text'),
  unlocked: oneOf(
    'app/chunks/unlocked',
    'features/device/rare-part',
    'features/sealed/(?!change-boxes)',
    'libs/sealing/src/(?!file)',
    'libs/sync/src/random-id',
    'features/delivery/unsent-store',
    String.raw`contracts/src/limits\.`,
  ),
  conversations: oneOf('features/conversation-options/options-api', 'features/delivery/watch-vanishing'),
  unlockedScreens: oneOf('app/unlocked-screens'),
  chat: oneOf('features/chat/composer-chunk', 'features/conversation-options/confirm-dialogs'),
}

/**
 * One neutral letter for each kind of chunk, which the disguise test reads: `b` libraries, `c` the app, `d` the screens
 * behind the sign-in.
 */
const letterOf = (modules: readonly string[]) => {
  if (modules.every((id) => library.test(id))) return 'b'
  return modules.some((id) => behind.test(id)) ? 'd' : 'c'
}

/** Writes the service worker with the list of the files that it stores; the list changes with each release. */
function offlineWorker(): Plugin {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path))
  const publicFiles = readdirSync(join(import.meta.dirname, 'public'))
  return {
    name: 'offline-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const { first, more } = precacheList(
        chunks.map((chunk) => ({ ...chunk, css: [...(chunk.viteMetadata?.importedCss ?? [])] })),
        publicFiles,
      )
      const release = createHash('sha256').update([...first, ...more].join())
      for (const path of ['index.html', ...publicFiles.map((file) => `public/${file}`)])
        release.update(read(path))
      const listed = (files: string[]) => files.map((file) => JSON.stringify(file)).join(', ')
      const source = read('src/features/device/worker.js')
        .toString()
        .replace('__RELEASE__', release.digest('hex').slice(0, 12))
        .replace("'__FILES__'", listed(first))
        .replace("'__MORE__'", listed(more))
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

/** Writes the calculator's face into the page, so that the first paint shows it before a script has run. */
function faceInPage(): Plugin {
  return {
    name: 'face-in-page',
    apply: 'build',
    async transformIndexHtml(html) {
      const path = join(import.meta.dirname, 'src/features/lock/face-of-page.tsx')
      const { module } = await runnerImport<{ faceOfPage: () => string }>(path)
      return html.replace('<div id="root">', `$&${module.faceOfPage()}`)
    },
  }
}

/** Compresses the written files for the gateway. */
function compressedFiles(): Plugin {
  let folder = ''
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir)
    },
    closeBundle: () => compressFiles(folder),
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), faceInPage(), offlineWorker(), compressedFiles()],
  build: {
    // The names are neutral, because a list of files must not reveal what is behind the calculator.
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/a-[hash].js',
        chunkFileNames: ({ moduleIds }) => `assets/${letterOf(moduleIds)}-[hash].js`,
        assetFileNames: 'assets/r-[hash][extname]',
        // Libraries have a chunk of their own because they use telltale words, and the test reads only the app's own
        // code. `$initial` contains the code of the first page in few files, because each file costs a round trip.
        codeSplitting: {
          groups: [
            { name: 'first-libraries', test: library, tags: ['$initial'] },
            { name: 'first', tags: ['$initial'] },
            { name: 'app-libraries', test: appLibraries },
            { name: 'screen-libraries', test: screenLibraries },
            // The merge below would join this one, which many screens use, with a large library of a single screen.
            { name: 'placeholders', test: /[\\/]thumbhash[\\/]/ },
            { name: 'libraries', test: library, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
            ...Object.entries(groups).map(([name, test]) => ({ name, test })),
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/d-[hash].js' } } },
  server: {
    port: 4001,
    strictPort: true,
    proxy: {
      '/api': { target: gateway },
      '/contacts.json': { target: gateway },
      '/ws': { target: gateway, ws: true },
    },
  },
})
