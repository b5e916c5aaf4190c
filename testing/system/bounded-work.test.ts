import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { bodyKindOf } from '@sumlock/contracts/route-body'
import { repoRoot } from '@sumlock/dev/config'
import { routesWithBody } from '../kit/bounded-routes.ts'
import { boundedWork, handledByRealtime, withoutManyRows } from '../kit/bounded-work.ts'
import type { WalkedService } from '../kit/bounded-work.ts'
import { workInSources } from '../kit/work-in-sources.ts'

const walked = Object.keys(boundedWork) as WalkedService[]
const services = globSync('services/*', { cwd: repoRoot }).map((path) => path.slice('services/'.length))
const read = (...path: string[]) => readFileSync(join(repoRoot, ...path), 'utf8')
const isExempt = (name: string) => (withoutManyRows as readonly string[]).includes(name)
const inLibraries = () => ['libs/bus', 'libs/service-kit'].flatMap((folder) => workInSources(folder).sweeps)

it('WORK-01: every handler, job and sweep of a service with a database is walked with more rows than one command may write', () => {
  const found = walked.map((service) => {
    const { handlers, jobs, sweeps } = workInSources(`services/${service}`)
    const ofLibraries = service === 'billing' ? inLibraries() : []
    const named = [...sweeps, ...ofLibraries].filter((name) => !isExempt(name))
    return [service, { handlers: handlers.sort(), jobs: jobs.sort(), sweeps: named.sort() }]
  })
  const listed = walked.map((service) => {
    const { handlers, jobs, sweeps } = boundedWork[service]
    return [service, { handlers: handlers.toSorted(), jobs: jobs.toSorted(), sweeps: sweeps.toSorted() }]
  })
  expect(found).toEqual(listed)
  for (const service of walked)
    expect(read('services', service, 'test/bounded-writes.full.test.ts')).toContain(
      `walkBoundedWrites('${service}', {`,
    )
})

it('every handler of a service without a database is walked, and such a service cannot reach one', () => {
  const others = services.filter((service) => !(walked as string[]).includes(service))
  expect(others.sort()).toEqual(['gateway', 'realtime'])
  for (const service of others) {
    const { dependencies } = JSON.parse(read('services', service, 'package.json')) as { dependencies: object }
    expect(Object.keys(dependencies)).not.toContain('mongoose')
    expect(workInSources(`services/${service}`)).toMatchObject({ jobs: [], sweeps: [] })
  }
  expect(workInSources('services/gateway').handlers).toEqual([])
  expect(workInSources('services/realtime').handlers.sort()).toEqual(handledByRealtime.toSorted())
})

it('every listed piece of work that writes few rows exists', () => {
  const sweeps = [...walked.map((service) => `services/${service}`), 'libs/bus', 'libs/service-kit'].flatMap(
    (folder) => workInSources(folder).sweeps,
  )
  expect(withoutManyRows.filter((name) => !sweeps.includes(name))).toEqual([])
})

it('WORK-02: every route with a body is walked by a person with very many rows', () => {
  const withBody = (Object.entries(allRoutes) as [string, RouteContract][]).filter(([, route]) =>
    bodyKindOf(route),
  )
  expect(Object.keys(routesWithBody).sort()).toEqual(withBody.map(([name]) => name).sort())
})
