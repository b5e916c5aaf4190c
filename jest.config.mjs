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
  roots: ['libs', 'services', 'dev', 'testing', 'ops', 'tools', 'load'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: swc(false),
}

const onEnginesFolders = ['{libs,services,ops}/*/test', 'dev/test', 'testing/system']
const onEngines = {
  ...node,
  globalSetup: '<rootDir>/testing/kit/jest-global-setup.ts',
  globalTeardown: '<rootDir>/testing/kit/jest-global-teardown.ts',
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
        '<rootDir>/{dev,ops,testing,tools,load}/**/*.test.ts',
      ],
      testPathIgnorePatterns: ['<rootDir>/(dev|ops/[^/]+)/test/', '<rootDir>/testing/system/'],
    },
    {
      displayName: 'web',
      roots: ['<rootDir>/web'],
      testEnvironment: 'jest-fixed-jsdom',
      extensionsToTreatAsEsm: ['.ts', '.tsx'],
      transform: swc(true),
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      setupFilesAfterEnv: ['<rootDir>/web/test/patient-queries.mjs', '<rootDir>/web/test/dialog-methods.mjs'],
      moduleNameMapper: { '\\.css$': '<rootDir>/web/test/empty-css.mjs' },
    },
    {
      ...onEngines,
      displayName: 'integration',
      testMatch: onEnginesFolders.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
      testPathIgnorePatterns: ['\\.(full|by-hand)\\.test\\.ts$'],
    },
    {
      // `npm run test:full`: what takes minutes, and what has a small size in every run and a full one here.
      ...onEngines,
      displayName: 'full',
      testMatch: onEnginesFolders.map((folder) => `<rootDir>/${folder}/**/*.{full,sized}.test.ts`),
    },
    {
      // `npm run test:by-hand`: needs a machine with processors to spare, or says more about the machine.
      ...onEngines,
      displayName: 'by-hand',
      testMatch: onEnginesFolders.map((folder) => `<rootDir>/${folder}/**/*.by-hand.test.ts`),
    },
  ],
}
