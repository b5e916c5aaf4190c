import { defineConfig } from '@playwright/test'
import { chromiumPath } from './chromium-path.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The runner of the tests (`npm run test:e2e`) starts the stack and gives its address. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../artifacts/e2e-output',
  timeout: 240_000,
  expect: { timeout: 30_000 },
  fullyParallel: false,
  workers: 3,
  retries: 0,
  reporter: [
    ['list'],
    ['json'],
    ['../../testing/runner/running-reporter.mjs', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] }],
  ],
  use: {
    baseURL: process.env['E2E_BASE_URL'] ?? 'http://127.0.0.1:4000',
    // A trace of every test costs a third of the suite's time.
    trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    // A step that hangs fails under its own name before the time of its test is over.
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // This microphone beeps once a second; using it still requires the permission.
        '--use-fake-device-for-media-stream',
      ],
    },
  },
  projects: [
    // `npm test` runs the phone, `npm run test:full` the desktop and the tests tagged `@full`, `npm run test:long` the
    // tests tagged `@long`. The tags `@phone` and `@desktop` limit a test to one size.
    { name: 'phone', grepInvert: /@desktop|@full|@long/, use: phone },
    { name: 'phone-full', grep: /@full/, grepInvert: /@desktop/, use: phone },
    { name: 'phone-long', grep: /@long/, grepInvert: /@desktop/, use: phone },
    { name: 'desktop', grepInvert: /@phone|@long/, use: { viewport: { width: 1440, height: 900 } } },
    // Prints figures (`npm run test:e2e-bench`).
    { name: 'bench', testMatch: '*.bench.ts', use: phone },
  ],
})
