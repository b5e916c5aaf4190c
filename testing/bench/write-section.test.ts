import { replaceSection } from './write-section.ts'

it('replaces its own section and leaves the others alone', () => {
  const both = replaceSection(replaceSection('# Benchmarks\n', 'a', 'old'), 'b', 'other')
  expect(both).toBe(
    '# Benchmarks\n\n<!-- a -->\n\nold\n\n<!-- /a -->\n\n<!-- b -->\n\nother\n\n<!-- /b -->\n',
  )
  expect(replaceSection(both, 'a', 'new')).toBe(both.replace('old', 'new'))
})
