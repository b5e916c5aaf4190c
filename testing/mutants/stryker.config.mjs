// `npm run test:mutants`: how many mutants the unit tests kill; a score to read, not a gate.
export default {
  mutate: ['services/*/src/{domain,use-cases}/**/*.ts', 'libs/{bus,sync}/src/**/*.ts', '!**/*.test.ts'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'testing/mutants/jest.config.mjs', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  incremental: true,
  incrementalFile: '.data/mutants/incremental.json',
  tempDirName: '.data/mutants/sandbox',
  reporters: ['clear-text', 'progress-append-only'],
  ignorePatterns: ['.data', 'artifacts', 'web', 'k8s', 'docs'],
}
