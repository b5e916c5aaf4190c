import type { Page } from '@playwright/test'

/** Returns the refusals of the content security policy in these pages, read from the console. */
export function refusalsIn(...pages: Page[]): string[] {
  const refused: string[] = []
  for (const page of pages)
    page.on('console', (line) => {
      if (/content security policy/i.test(line.text())) refused.push(line.text())
    })
  return refused
}
