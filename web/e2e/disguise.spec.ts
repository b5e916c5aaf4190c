import { expect, test } from '@playwright/test'
import { tellTales } from '../test/tell-tale.ts'
import { leaksOf, servedSurface } from './served-surface.ts'
import type { Surface } from './served-surface.ts'

let surface: Surface
test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL as string })
  surface = await servedSurface(async (path) => {
    const response = await request.get(path)
    // An unknown path is answered with the page itself.
    const isPage = response.headers()['content-type']?.includes('text/html') === true
    return response.ok() && (path === '/' || !isPage) ? response.text() : null
  })
  await request.dispose()
})

test('no file that is served before an unlock reveals what is behind the calculator', () => {
  const kinds = [...surface.keys()].map((path) => path.replace(/-.*\./, '.'))
  expect(kinds).toEqual(
    expect.arrayContaining([
      '/',
      '/manifest.webmanifest',
      '/sw.js',
      '/assets/a.js',
      '/assets/c.js',
      '/assets/r.css',
    ]),
  )
  expect(leaksOf(surface)).toEqual([])
})

const entry = () => [...surface.keys()].find((path) => path.startsWith('/assets/a-')) as string
const styles = () => [...surface.keys()].find((path) => path.endsWith('.css')) as string

const plants: [name: string, path: () => string, leak: string][] = [
  ['a label in the entry', entry, ';const t="New conversation"'],
  ['the names of limits in the entry', entry, ';const t={unlockMaxHours:8}'],
  ['a sentence about one message in a lazy chunk', () => '/assets/c-planted.js', 'const t="No message yet"'],
  ['a static import of a screen behind the lock', entry, ';import"./d-planted.js"'],
  ['a class name in the styles', styles, '.chat-bubble{color:red}'],
  ['a description in the page', () => '/', '<meta name="description" content="Private messenger">'],
  ['a shortcut in the manifest', () => '/manifest.webmanifest', '{"shortcuts":[{"name":"Inbox"}]}'],
  ['a screen behind the lock in the precache list', () => '/sw.js', 'precache(["/assets/d-planted.js"])'],
]
for (const [name, path, leak] of plants) {
  test(`${name} is found by the disguise check when it is planted`, () => {
    const planted = new Map(surface).set(path(), (surface.get(path()) ?? '') + leak)
    expect(leaksOf(planted)).toHaveLength(leaksOf(surface).length + 1)
  })
}

test(
  'the rendered calculator, its menu and the first dialog do not reveal what is behind',
  { tag: '@phone' },
  async ({ page }) => {
    const told = async () => tellTales(await page.locator('body').innerText())
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Accept and Continue' })).toBeVisible()
    expect(await told()).toEqual([])
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    for (const item of ['Help & Support', 'About']) {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: item }).click()
      expect(await told()).toEqual([])
      await page.getByRole('button', { name: 'Close' }).click()
    }
    await page.evaluate(() => document.body.append('3 new messages'))
    expect(await told()).toEqual(['messag'])
  },
)

test(
  'the sign-in, opened from the menu, loads none of the screens behind it',
  { tag: '@phone' },
  async ({ page }) => {
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    const letters = () => loaded.flatMap((path) => /^\/assets\/([cd])-.*\.js$/.exec(path)?.[1] ?? [])
    await page.goto('/')
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    for (const item of ['Help & Support', 'About']) {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: item }).click()
      await page.getByRole('button', { name: 'Close' }).click()
    }
    const atCalculator = letters().length
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    expect(tellTales(await page.locator('body').innerText())).toEqual([])
    expect(letters()).not.toContain('d')
    expect(letters().length).toBeGreaterThan(atCalculator)
  },
)
