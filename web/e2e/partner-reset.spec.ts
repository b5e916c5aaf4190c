import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { sendFiles } from './choose-files.ts'
import { openPair, password, pressKeys, send, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'

const bubbles = (page: Page) => page.getByRole('log').getByRole('article')
const photos = (page: Page) => page.getByRole('button', { name: 'Open photo' })
const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(username) }).click()

async function sendPhoto({ page }: Visitor) {
  const buffer = Buffer.from(await draw(page, { width: 400, height: 200, type: 'image/jpeg' }))
  await sendFiles(page, { name: 'a.jpg', mimeType: 'image/jpeg', buffer })
}

/** Each person writes a text and a photo; the partner's second text is the last message. */
async function writeToEachOther(ada: Visitor, ben: Visitor) {
  await openChat(ben, ada)
  await send(ada, 'ada wrote this')
  await expect(bubbles(ben.page).filter({ hasText: 'ada wrote this' })).toBeVisible()
  await sendPhoto(ada)
  await expect(photos(ben.page)).toHaveCount(1)
  await sendPhoto(ben)
  await expect(photos(ben.page)).toHaveCount(2)
  await send(ben, 'ben wrote this')
  await expect(bubbles(ada.page).filter({ hasText: 'ben wrote this' })).toBeVisible()
}

/** Expects the whole chat. `shownPhotos` excludes photos that the partner's reset has erased. */
async function expectWholeChat(page: Page, shownPhotos: number) {
  for (const text of ['ada wrote this', 'ben wrote this'])
    await expect(bubbles(page).filter({ hasText: text })).toBeVisible()
  await expect(photos(page)).toHaveCount(shownPhotos)
  const erased = bubbles(page).filter({ hasText: 'This photo is no longer available' })
  await expect(erased).toHaveCount(2 - shownPhotos)
  for (const photo of await photos(page).all())
    await expect(photo.getByRole('img')).toHaveAttribute('src', /^blob:/)
  await expect(page.getByText(/Waiting for/)).toBeHidden()
}
const expectWholeList = async (page: Page) => {
  await expect(page.getByText('ben wrote this')).toBeVisible()
  await expect(page.getByText(/Waiting for/)).toBeHidden()
}

/** Resets the app as a person does: through the settings and a new number to the calculator. */
async function resetApp(visitor: Visitor) {
  const { page } = visitor
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Reset app' }).click()
  await page.getByLabel('Account password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Delete everything and reset' }).click()
  await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
  await page.getByLabel('Security Password', { exact: true }).fill('97531')
  await page.getByLabel('Confirm Security Password', { exact: true }).fill('97531')
  await page.getByRole('button', { name: 'Set Password & Continue' }).click()
  await page.getByRole('button', { name: 'Skip - I Got It' }).click()
  await pressKeys(page, '+97531=')
  await expect(page.getByText('No conversations yet')).toBeVisible()
}

async function makeNewKeys({ page, pin }: Visitor) {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Encryption' }).click()
  await page.getByRole('button', { name: 'New keys' }).click()
  await page.getByLabel('Security Password').fill(pin)
  await page.getByRole('button', { name: 'Make new keys' }).click()
  await expect(page.getByRole('heading', { name: 'New keys' })).toBeHidden()
}

type Answer = [string, (page: Page) => Promise<unknown>]

/** The answers to the requests for keys, which the person's page never notices. */
const answers: Answer[] = [
  ['as it comes', () => Promise.resolve()],
  ['lost', (page) => page.route('**/keys', (route) => route.abort(), { times: 2 })],
  [
    'without the new key',
    (page) => page.route('**/keys', (route) => route.fulfill({ json: { keys: [] } }), { times: 1 }),
  ],
]
const otherAnswers: Answer[] = [
  [
    'slow',
    (page) =>
      page.route('**/keys', async (route) => {
        const answer = await route.fetch()
        await new Promise((resolve) => setTimeout(resolve, 3000))
        await route.fulfill({ response: answer })
      }),
  ],
  ['as it comes', () => Promise.resolve()],
  ['failed', (page) => page.route('**/keys', (route) => route.fulfill({ status: 503 }), { times: 2 })],
]

for (const [what, change, shownPhotos] of [
  ['“Reset app”', resetApp, 1],
  ['“New keys”', makeNewKeys, 2],
] as const)
  for (const [tag, when, chosen] of [
    ['@full', '', answers],
    ['@long', ', after other answers', otherAnswers],
  ] as const)
    test(
      `after ${what} of the partner, list, chat, second tab and reload show everything${when}`,
      { tag: [tag, '@phone'] },
      async ({ browser }, { project }) => {
        const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
        const { page, context } = ada
        await writeToEachOther(ada, ben)
        const path = new URL(page.url()).pathname
        await change(ben)
        // Open content stays, even if the reset has erased it on the server.
        await expectWholeChat(page, 2)

        for (const [answer, arrange] of chosen) {
          await test.step(`opened by the number, then reloaded; the answer is ${answer}`, async () => {
            await page.goto('/')
            await arrange(page)
            await unlockOnKeypad(ada)
            await expectWholeList(page)
            await openChat(ada, ben)
            await expectWholeChat(page, shownPhotos)
            await page.unrouteAll({ behavior: 'ignoreErrors' })
            await arrange(page)
            await page.reload()
            await expectWholeChat(page, shownPhotos)
            await page.unrouteAll({ behavior: 'ignoreErrors' })
          })
        }
        await test.step('a second tab', async () => {
          const tab = await context.newPage()
          await tab.goto(path)
          await expectWholeChat(tab, shownPhotos)
          await tab.getByRole('button', { name: 'Back to Messages' }).click()
          await expectWholeList(tab)
          await tab.close()
        })
        await Promise.all([ada.context.close(), ben.context.close()])
      },
    )
