import { globSync, readFileSync } from 'node:fs'
import { env } from 'node:process'

const swc = (jsx) => ({
  '^.+\\.tsx?$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', tsx: jsx },
        transform: { react: { runtime: 'automatic' } },
      },
      module: { type: 'es6' },
    },
  ],
})

/** Tests of tools, by folder. `npm test` names in SUMLOCK_SKIP_TOOLS the folders that did not change. */
const toolTests = {
  dev: '<rootDir>/dev/',
  testing: '<rootDir>/testing/(?!system/)',
  ops: '<rootDir>/ops/',
  tools: '<rootDir>/tools/',
  load: '<rootDir>/load/',
}
const skippedTools = (env.SUMLOCK_SKIP_TOOLS ?? '')
  .split(',')
  .filter(Boolean)
  .map((folder) => toolTests[folder])

/** Set in runs that also run the full sizes. */
const skippedSizes = env.SUMLOCK_SKIP_SIZED ? ['\\.sized\\.test\\.ts$'] : []

/** Kept between runs, whose temporary folders are their own: Jest starts with the tests that took longest before. */
const cacheDirectory = '<rootDir>/node_modules/.cache/jest'

/**
 * Tests with fake timers or spies, those that measure their process and those that run side by side (`it.concurrent`) need
 * Jest's own runner: it gives each file modules and a process of its own, and the light one runs one test after the other.
 */
const forJestRunner = /from '@jest\/globals'|process\.(cpuUsage|memoryUsage)|\bit\.concurrent\b/
const needJestRunner = globSync('{libs,services,dev,ops,testing,tools,load}/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules'],
}).filter((file) => forJestRunner.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')))

/** A project in two: one for tests that need Jest's own runner, and one without a context for each file. */
const inTwo = (project) => [
  {
    ...project,
    runner: 'jest-light-runner',
    testPathIgnorePatterns: [...project.testPathIgnorePatterns, ...needJestRunner],
  },
  {
    ...project,
    testPathIgnorePatterns: [...project.testPathIgnorePatterns, `^(?!.*/(${needJestRunner.join('|')})$)`],
  },
]

const node = {
  cacheDirectory,
  // Not the whole checkout: databases write below .data while tests run.
  roots: ['libs', 'services', 'dev', 'testing', 'ops', 'tools', 'load'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: swc(false),
}

/** They measure what a loaded product does, and need the processors for themselves, as full sizes do. */
const measured = [
  'everything-dies',
  'flooded-unlock',
  'graceful-stop',
  'limits',
  'many-free-senders',
  'redis-hangs',
  'thousand-messages',
]

const onEnginesFolders = ['{libs,services,ops}/*/test', 'dev/test', 'testing/system']
const onEngines = {
  ...node,
  globalSetup: '<rootDir>/testing/kit/jest-global-setup.ts',
  globalTeardown: '<rootDir>/testing/kit/jest-global-teardown.ts',
}

export default {
  // Integration suites start whole stacks; a test that hangs still ends.
  testTimeout: 240_000,
  projects: [
    ...inTwo({
      ...node,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/libs/*/src/**/*.test.ts',
        '<rootDir>/services/*/src/**/*.test.ts',
        '<rootDir>/{dev,ops,testing,tools,load}/**/*.test.ts',
      ],
      testPathIgnorePatterns: [
        '<rootDir>/(dev|ops/[^/]+)/test/',
        '<rootDir>/testing/system/',
        ...skippedTools,
      ],
    }),
    {
      displayName: 'web',
      cacheDirectory,
      roots: ['<rootDir>/web'],
      testEnvironment: 'jest-fixed-jsdom',
      extensionsToTreatAsEsm: ['.ts', '.tsx'],
      transform: swc(true),
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      setupFilesAfterEnv: [
        '<rootDir>/web/test/patient-queries.mjs',
        '<rootDir>/web/test/dialog-methods.mjs',
        '<rootDir>/web/test/layout.mjs',
        '<rootDir>/web/test/motion.mjs',
      ],
      moduleNameMapper: { '\\.css$': '<rootDir>/web/test/empty-css.mjs' },
    },
    {
      // `npm run test:long`: the client in Firefox, which Playwright cannot drive as the system installs it.
      ...node,
      displayName: 'firefox',
      roots: ['<rootDir>/web/e2e/firefox'],
      testMatch: ['<rootDir>/web/e2e/firefox/*.firefox.test.ts'],
    },
    ...inTwo({
      ...onEngines,
      displayName: 'integration',
      testMatch: onEnginesFolders.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
      testPathIgnorePatterns: ['\\.(full|long)\\.test\\.ts$', ...skippedSizes, ...skippedTools],
    }),
    {
      // `npm run test:full`, one file at a time: the full size of what `npm test` runs at a small one, and what is measured.
      ...onEngines,
      displayName: 'full',
      testMatch: onEnginesFolders.map(
        (folder) => `<rootDir>/${folder}/**/{*.sized,{${measured.join()}}.full}.test.ts`,
      ),
    },
    {
      // `npm run test:full`, two files at a time: what takes minutes, and waits for most of them.
      ...onEngines,
      displayName: 'faults',
      testMatch: onEnginesFolders.map((folder) => `<rootDir>/${folder}/**/*.full.test.ts`),
      testPathIgnorePatterns: [`/(${measured.join('|')})\\.full\\.`],
    },
    {
      // `npm run test:long`: tests that take ten minutes or more, or need idle processors.
      ...onEngines,
      displayName: 'long',
      testMatch: onEnginesFolders.map((folder) => `<rootDir>/${folder}/**/*.long.test.ts`),
    },
  ],
}
