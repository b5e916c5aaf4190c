import config from '../../jest.config.mjs'

// StrykerJS runs one project, and reads it from a file only.
const unit = config.projects.find(({ displayName }) => displayName === 'unit')
export default { ...unit, displayName: undefined, rootDir: '../..' }
