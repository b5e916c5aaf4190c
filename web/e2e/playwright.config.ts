import { defineConfig } from '@playwright/test'
import { chromiumPath } from './chromium-path.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const faults = '*-dead.spec.ts'

/** Driven by testing/commands/e2e.ts, which starts the stack and says where it is. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../artifacts/e2e-output',
  timeout: 240_000,
  expect: { timeout: 30_000 },
  fullyParallel: false,
  workers: 1,
  retries: 0,
  reporter: [
    ['list'],
    ['json'],
    ['../../testing/runner/running-reporter.mjs', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] }],
  ],
  use: {
    baseURL: process.env['E2E_BASE_URL'] ?? 'http://127.0.0.1:4000',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    // `npm test` runs the phone, `npm run test:full` the desktop. A tag names the only size of a test.
    { name: 'phone', testIgnore: faults, grepInvert: /@desktop/, use: phone },
    {
      name: 'desktop',
      testIgnore: faults,
      grepInvert: /@phone/,
      use: { viewport: { width: 1440, height: 900 } },
    },
    // Last, because it kills parts of the stack.
    { name: 'faults', testMatch: faults, dependencies: ['phone'], use: phone },
  ],
})
