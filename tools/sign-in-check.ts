import { chromium } from '@playwright/test'
import { chromiumPath } from '../web/e2e/chromium-path.ts'
import { usualPort } from '@sumlock/dev/product/local-ports'
import { demoAccounts } from '@sumlock/jobs/demo-accounts'

// Signs the demo user in to the running product in a browser, and opens the conversations by the PIN on the calculator.
// The argument is the port, if it is not the usual one.
const { username, password, pin } = demoAccounts.premium
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-background-networking',
  ],
})
const page = await browser.newPage({
  baseURL: `http://localhost:${process.argv[2] ?? usualPort}`,
  viewport: { width: 390, height: 844 },
})
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

await page.goto('/')
await press('Accept and Continue')
await press('Menu')
await press('Settings')
await page.getByLabel('Username').first().fill(username)
await page.getByLabel('Password', { exact: true }).first().fill(password)
await page.getByRole('button', { name: 'Sign In' }).click()
await press('+')
for (const digit of pin) await press(digit)
await press('=')
await page.getByRole('heading', { name: 'Secure Messages' }).waitFor()
await page.getByText('Exactly. Go back to it with a swipe.').waitFor()
await browser.close()
process.stdout.write(`${username} signed in and read the conversations.\n`)
