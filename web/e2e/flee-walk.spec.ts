import { test } from '@playwright/test'
import { gestures, goals, list, networks, walk } from './flee-walk.ts'
import { walkers } from './flee-walkers.ts'
import type { Walker, WalkerName } from './flee-walkers.ts'

// One place of each kind, each with another gesture and network.
const kinds = [...new Set(goals.map(({ place }) => place.type))]
const sample = kinds.map((kind, index) => ({
  goal: goals.find(({ place, by }) => place.type === kind && by === 'member'),
  gesture: gestures[index % 2],
  network: networks[index % 3],
}))

for (const name of Object.keys(walkers) as WalkerName[]) {
  test.describe(`a calculator, and nothing by Back or a reload, follows the flight of the ${name}`, () => {
    let walker: Walker
    test.beforeAll(async ({ browser }, { project }) => {
      walker = await walkers[name](browser, project.name)
    })
    test.afterAll(() => walker.context.close())

    for (const goal of goals.filter(({ by }) => by === name))
      for (const gesture of gestures)
        for (const network of networks) {
          const isSample = sample.some(
            (one) => one.goal === goal && one.gesture === gesture && one.network === network,
          )
          const tag = ['@long', '@phone', ...(isSample ? ['@full'] : [])]
          test(`from ${goal.place.source} by ${gesture}, ${network}`, { tag }, async () => {
            await walk(walker, goal, gesture, network)
            list(goal, gesture, network)
          })
        }
  })
}
