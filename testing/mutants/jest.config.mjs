import config from '../../jest.config.mjs'

// StrykerJS runs one project, and only from a file.
const { displayName: _, ...unit } = config.projects.find(({ displayName }) => displayName === 'unit')
export default { ...unit, rootDir: '../..' }
