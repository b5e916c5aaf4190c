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

const node = {
  // Not the whole checkout: databases write below .data while tests run.
  roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/tools', '<rootDir>/load'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: swc(false),
}

const onEngines = {
  ...node,
  globalSetup: '<rootDir>/libs/testing/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest-global-teardown.ts',
}

export default {
  // Integration suites start whole stacks; a test that hangs is still found out.
  testTimeout: 240_000,
  projects: [
    {
      ...node,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/libs/*/src/**/*.test.ts',
        '<rootDir>/services/*/src/**/*.test.ts',
        '<rootDir>/tools/**/*.test.ts',
        '<rootDir>/load/**/*.test.ts',
      ],
    },
    {
      displayName: 'web',
      roots: ['<rootDir>/web'],
      testEnvironment: 'jest-fixed-jsdom',
      extensionsToTreatAsEsm: ['.ts', '.tsx'],
      transform: swc(true),
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      setupFilesAfterEnv: ['<rootDir>/web/test/patient-queries.mjs'],
      moduleNameMapper: { '\\.css$': '<rootDir>/web/test/empty-css.mjs' },
    },
    {
      ...onEngines,
      displayName: 'integration',
      testMatch: ['<rootDir>/libs/*/test/**/*.test.ts', '<rootDir>/services/*/test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(full|by-hand)\\.test\\.ts$'],
    },
    {
      // `npm run test:full`: what takes minutes, and what has a small size in every run and a full one here.
      ...onEngines,
      displayName: 'full',
      testMatch: [
        '<rootDir>/libs/*/test/**/*.{full,sized}.test.ts',
        '<rootDir>/services/*/test/**/*.{full,sized}.test.ts',
      ],
    },
    {
      // `npm run test:by-hand`: needs a machine with processors to spare, or says more about the machine.
      ...onEngines,
      displayName: 'by-hand',
      testMatch: ['<rootDir>/services/*/test/**/*.by-hand.test.ts'],
    },
  ],
}
