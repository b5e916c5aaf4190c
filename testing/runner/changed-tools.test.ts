import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changedPaths, unchangedTools } from './changed-tools.ts'

describe('unchangedTools', () => {
  it('names the folders of tools that a change does not touch', () => {
    expect(unchangedTools(['services/auth/src/app.ts'])).toEqual(['dev', 'testing', 'ops', 'tools', 'load'])
    expect(unchangedTools(['testing/kit/wait.ts'])).toEqual(['dev', 'ops', 'tools', 'load'])
    expect(unchangedTools(['libs/deployment/src/secrets.ts'])).toEqual(['testing', 'tools', 'load'])
  })

  it('counts the settings of a service as a change of the deployment', () => {
    expect(unchangedTools(['services/auth/src/config.ts'])).not.toContain('ops')
  })

  it('names none after a change of the packages', () => {
    expect(unchangedTools(['package-lock.json'])).toEqual([])
  })
})

describe('changedPaths', () => {
  let root: string
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root })
  const commit = (file: string) => {
    writeFileSync(join(root, file), file)
    git('add', '.')
    git('commit', '-q', '-m', file)
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sumlock-changed-'))
    git('init', '-q', '-b', 'main')
    commit('one')
    commit('two')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('compares the main branch with its last commit but one, and includes new files', () => {
    writeFileSync(join(root, 'new'), '')
    expect(changedPaths(root)).toEqual(['two', 'new'])
  })

  it('compares another branch with where it left the main branch', () => {
    git('switch', '-q', '-c', 'work')
    commit('three')
    commit('four')
    expect(changedPaths(root)).toEqual(['four', 'three'])
  })

  it('is unknown outside of git', () => {
    rmSync(join(root, '.git'), { recursive: true })
    expect(changedPaths(root)).toBeNull()
  })
})
