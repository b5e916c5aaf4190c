import { fakeApi } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { openNewest, releaseOfServer } from './newest-page.ts'
import { page } from '../../../test/page.ts'

const realReplace = page.replace
let server: ReturnType<typeof fakeApi>
let answer: () => Answer

beforeEach(() => {
  const script = document.createElement('script')
  script.type = 'module'
  script.setAttribute('src', '/assets/a-own.js')
  document.head.append(script)
  server = fakeApi({ 'GET /index.html': () => answer() })
})
afterEach(() => {
  document.head.replaceChildren()
  server.restore()
  page.replace = realReplace
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

const html = (entry: string) => ({ status: 200, body: `<script type="module" src="${entry}"></script>` })

it.each([
  ['same', 'its own page', html('/assets/a-own.js')],
  ['newer', 'a page with another entry', html('/assets/a-next.js')],
  ['none', 'a page of someone else', html('/sign-in.js')],
  ['none', 'a failure', { status: 503 }],
  ['none', 'no answer', 'no connection'],
] as const)('the release of the server is %s when it gives %s', async (release, _what, given) => {
  answer = () => given
  expect(await releaseOfServer()).toBe(release)
})

it('the worker is notified before a newer page is opened, and a new worker opens it again, once', async () => {
  const steps: string[] = []
  const workers = new EventTarget()
  const postMessage = (order: string) => {
    steps.push(order)
    setTimeout(() => {
      steps.push('done')
      workers.dispatchEvent(new Event('message'))
    })
  }
  Object.assign(workers, { controller: { postMessage } })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers })
  page.replace = (address) => steps.push(address)
  await openNewest(() => page.replace('/'))
  expect(steps).toEqual(['newest', 'done', '/'])
  workers.dispatchEvent(new Event('controllerchange'))
  workers.dispatchEvent(new Event('controllerchange'))
  expect(steps).toEqual(['newest', 'done', '/', '/'])
})

it('a newer page is opened without a worker, too', async () => {
  const opened: string[] = []
  page.replace = (address) => opened.push(address)
  await openNewest(() => page.replace('/'))
  expect(opened).toEqual(['/'])
})
