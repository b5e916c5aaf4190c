import { isEasyToGuess } from './weak-password.ts'

it.each(['123456', 'Password', 'qwerty123', ' iloveyou '])('%s is easy to guess', (password) => {
  expect(isEasyToGuess(password, 'anna')).toBe(true)
})

it('the user name is easy to guess, however it is written', () => {
  expect(isEasyToGuess('Anna.Berg', 'anna.berg')).toBe(true)
  expect(isEasyToGuess('anna.berg', 'ANNA.Berg')).toBe(true)
})

it.each(['correct horse', 'anna.berg.1987', 'gx7!qa'])('%s is not', (password) => {
  expect(isEasyToGuess(password, 'anna.berg')).toBe(false)
})
