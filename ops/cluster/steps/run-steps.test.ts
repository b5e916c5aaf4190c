import { silent } from '@sumlock/dev/processes/progress'
import { runSteps } from './run-steps.ts'
import type { TryContext, TryStep } from './try-step.ts'

const context = (progress: (line: string) => void = silent) => ({ progress }) as TryContext
const green = (name: string): TryStep => ({ name, proves: '', run: () => Promise.resolve({ accepted: 7 }) })
const red = (name: string, more: Partial<TryStep> = {}): TryStep => ({
  ...green(name),
  run: () => Promise.reject(new Error('one message is lost', { cause: new Error('502') })),
  ...more,
})

describe('runSteps', () => {
  it('shows what a step asserted', async () => {
    const lines: string[] = []
    await runSteps(
      [green('deploy')],
      context((line) => void lines.push(line)),
    )
    expect(lines.at(-1)).toMatch(/^deploy: green in [\d.]+ s\n {4}accepted: 7$/)
  })

  it('goes on after a failed step, and names it with its causes at the end', async () => {
    const later = { ...green('kills'), run: jest.fn(() => Promise.resolve({})) }
    const running = runSteps([red('rolling'), later], context())
    await expect(running).rejects.toThrow('The step rolling failed: one message is lost\n    502')
    expect(later.run).toHaveBeenCalledTimes(1)
  })

  it('ends after a failed step that the later ones need', async () => {
    const later = { ...green('kills'), run: jest.fn(() => Promise.resolve({})) }
    const running = runSteps([red('deploy', { isNeeded: true }), later], context())
    await expect(running).rejects.toThrow('The step deploy failed')
    expect(later.run).not.toHaveBeenCalled()
  })

  it('runs only the named steps', async () => {
    const outcomes = await runSteps([red('deploy'), green('kills')], context(), { only: ['kills'] })
    expect(outcomes.map(({ name }) => name)).toEqual(['kills'])
  })

  it('refuses the name of a step that does not exist', async () => {
    const running = runSteps([green('deploy')], context(), { only: ['kill'] })
    await expect(running).rejects.toThrow('There is no step kill. The steps are deploy.')
  })
})
