import { tabStorage } from '../device/safe-storage.ts'
import { initialCalculator } from './calculator-state.ts'
import { emptyEntry } from './early-entry.ts'
import { handedOver } from './handed-over.ts'

it('what was typed is taken once, with the tape of the page that goes on with it', () => {
  handedOver.keep({ ...emptyEntry({ ...initialCalculator, display: '12' }), hidden: '1815' })
  const history = [{ expression: '1+1', result: '2' }] as never
  expect(handedOver.take({ ...initialCalculator, history })).toMatchObject({
    hidden: '1815',
    state: { display: '12', history },
  })
  expect(handedOver.take(initialCalculator)).toBeNull()
})

it.each(['{', 'null'])('an entry that reads %s hands nothing over', (text) => {
  tabStorage.set('calc.q', text)
  expect(handedOver.take(initialCalculator)).toBeNull()
})

it('an entry of a page of another release misses nothing that this release reads', () => {
  tabStorage.set('calc.q', '{"state":{"display":"7"}}')
  expect(handedOver.take(initialCalculator)).toEqual(emptyEntry({ ...initialCalculator, display: '7' }))
})
