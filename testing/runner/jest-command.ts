/** Returns the arguments with which Node runs Jest for some of our projects. */
export const jestArguments = (projects: readonly string[], ...options: readonly string[]): string[] => [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
  'node_modules/jest/bin/jest.js',
  '--selectProjects',
  ...projects,
  ...options,
]
