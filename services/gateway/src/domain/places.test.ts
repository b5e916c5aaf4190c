import { createPlaces } from './places.ts'
import type { Place, Places } from './places.ts'
import { createTargets } from './targets.ts'

const soonMs = 20
const neverMs = 60_000

/** Asks for a place, and tells at any time what came of it: nothing yet, a place, or null. */
function taker(places: Places, withinMs = neverMs) {
  const taker = { place: undefined as Place | null | undefined, done: Promise.resolve() }
  taker.done = places.take(withinMs).then((place) => void (taker.place = place))
  return taker
}

const settled = () => new Promise(setImmediate)

describe('places', () => {
  it('are so many at each replica in turn, and go to those who wait in the order in which they came', async () => {
    const places = createPlaces(createTargets(['a', 'b']), 2)
    const inside = await Promise.all(Array.from({ length: 4 }, () => places.take(neverMs)))
    expect(inside.map((place) => place?.target)).toEqual(['a', 'b', 'a', 'b'])
    const [first, second] = [taker(places), taker(places)]
    await settled()
    expect([first.place, second.place]).toEqual([undefined, undefined])
    inside[1]?.leave()
    // Nobody who comes now passes those who wait.
    const third = taker(places)
    await settled()
    expect([first.place?.target, second.place, third.place]).toEqual(['b', undefined, undefined])
    first.place?.leave()
    inside[0]?.leave()
    await settled()
    expect([second.place?.target, third.place?.target]).toEqual(['b', 'a'])
  })

  it('are given back once', async () => {
    const places = createPlaces(createTargets(['a']), 1)
    const place = await places.take(neverMs)
    place?.leave()
    place?.leave()
    const next = [taker(places), taker(places)]
    await settled()
    expect(next.map(({ place }) => place?.target)).toEqual(['a', undefined])
    next[0]?.place?.leave()
    await next[1]?.done
  })

  it('are waited for only so long, and then not lost', async () => {
    const places = createPlaces(createTargets(['a']), 1)
    const place = await places.take(neverMs)
    const [impatient, patient] = [taker(places, soonMs), taker(places)]
    await impatient.done
    expect([impatient.place, patient.place]).toEqual([null, undefined])
    place?.leave()
    await patient.done
    expect(patient.place?.target).toBe('a')
  })

  it('at a replica that is away are not taken while another is only full', async () => {
    const targets = createTargets(['a', 'b'])
    const places = createPlaces(targets, 1)
    targets.reportStopping('b')
    const place = await places.take(neverMs)
    const waiting = taker(places)
    await settled()
    expect([place?.target, waiting.place]).toEqual(['a', undefined])
    targets.reportStopping('a')
    place?.leave()
    await waiting.done
    // With all of them away it goes on trying.
    expect(['a', 'b']).toContain(waiting.place?.target)
  })
})
