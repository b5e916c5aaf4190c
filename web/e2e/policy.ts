import type { Page } from '@playwright/test'

/** What the content security policy refuses in these pages, as it is told to the console. */
export function refusalsIn(...pages: Page[]): string[] {
  const refused: string[] = []
  for (const page of pages)
    page.on('console', (line) => {
      if (/content security policy/i.test(line.text())) refused.push(line.text())
    })
  return refused
}
