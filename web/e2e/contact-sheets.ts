import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import type { Browser, BrowserContext } from '@playwright/test'
import { folder, looks } from './check-screen.ts'

/** Makes one picture per size and theme with all screens, for people to look at. */
export async function contactSheets(browser: Browser): Promise<void> {
  const context: BrowserContext = await browser.newContext()
  const page = await context.newPage()
  for (const { name, size } of looks) {
    mkdirSync(`${folder}/${name}`, { recursive: true })
    const files = readdirSync(`${folder}/${name}`).filter((file) => file.endsWith('.png'))
    const pictures = files
      .toSorted()
      .map(
        (file) =>
          `<figure><img src="${name}/${file}" width="${size.width / 2}"><figcaption>${file}</figcaption></figure>`,
      )
    const html = `<!doctype html><body style="margin:16px;display:flex;flex-wrap:wrap;gap:16px;font:12px sans-serif">${pictures.join('')}</body>`
    writeFileSync(`${folder}/${name}.html`, html)
    await page.setViewportSize({ width: size.width * 3, height: 900 })
    await page.goto(`file://${process.cwd()}/${folder}/${name}.html`)
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
  await context.close()
}
