import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { buildPreparation } from './build-preparation.ts'
import type { BuiltPreparation } from './build-preparation.ts'
import { refusalsIn } from './policy.ts'
import type { preparePicture as PreparePicture } from '../src/features/media/prepare/prepare-picture.ts'

/** Answers the requests for the files of a module, under the policy of the page. */
export async function serveIn(page: Page, { scripts, read }: BuiltPreparation): Promise<void> {
  await page.route('**/assets/*.js', async (route) => {
    const name = basename(new URL(route.request().url()).pathname)
    if (!scripts.includes(name)) return route.fallback()
    const { 'content-security-policy': policy = '' } = (await page.request.get('/')).headers()
    const headers = { 'content-security-policy': policy, 'content-type': 'text/javascript' }
    await route.fulfill({ body: read(`assets/${name}`), headers })
  })
}

/** Gives each test of the file a page with the module. The policy of the page must refuse nothing. */
export function onPagesWith(module?: string): { readonly built: BuiltPreparation } {
  const given = {} as { built: BuiltPreparation }
  let folder: string
  let refused: string[]
  // The test cannot answer requests that pass through a service worker.
  test.use({ serviceWorkers: 'block' })
  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'prepared-'))
    given.built = await buildPreparation(folder, module)
  })
  test.beforeEach(async ({ page }) => {
    refused = refusalsIn(page)
    await serveIn(page, given.built)
    await page.goto('/')
  })
  test.afterEach(() => expect(refused).toEqual([]))
  test.afterAll(() => rmSync(folder, { recursive: true }))
  return given
}

/** Prepares a file in the page. The pixels are those of the corners, clockwise from the upper left one. */
export const prepare = (page: Page, { entry }: BuiltPreparation, file: Uint8Array) =>
  page.evaluate(
    async ({ path, bytes }) => {
      const { preparePicture } = (await import(path)) as { preparePicture: typeof PreparePicture }
      const textOf = async (blob: Blob) => new TextDecoder('latin1').decode(await blob.arrayBuffer())
      const cornersOf = async (blob: Blob) => {
        const bitmap = await createImageBitmap(blob)
        const { width, height } = bitmap
        const context = new OffscreenCanvas(width, height).getContext('2d')
        context?.drawImage(bitmap, 0, 0)
        const at = (x: number, y: number) => [...(context?.getImageData(x, y, 1, 1).data ?? [])]
        return [at(0, 0), at(width - 1, 0), at(width - 1, height - 1), at(0, height - 1)]
      }
      const framesOf = async (blob: Blob) => {
        const decoder = new ImageDecoder({ data: await blob.arrayBuffer(), type: blob.type })
        await decoder.tracks.ready
        await decoder.completed
        const count = decoder.tracks.selectedTrack?.frameCount ?? 0
        for (let frameIndex = 0; frameIndex < count; frameIndex += 1) await decoder.decode({ frameIndex })
        return count
      }
      try {
        const { blob, thumb, hash, ...facts } = await preparePicture(new Blob([Uint8Array.from(bytes)]))
        const small = await createImageBitmap(thumb)
        return {
          ...facts,
          type: blob.type,
          text: await textOf(blob),
          frames: await framesOf(blob),
          corners: await cornersOf(blob),
          thumb: {
            text: await textOf(thumb),
            longerSide: Math.max(small.width, small.height),
            corners: await cornersOf(thumb),
            type: thumb.type,
            size: thumb.size,
          },
          hashBytes: hash.length,
          refusal: '',
        }
      } catch (error) {
        return { refusal: String(error) }
      }
    },
    { path: `/assets/${entry}`, bytes: [...file] },
  )

/**
 * Draws a picture on a canvas: red, green, blue and white quarters, clockwise from the upper left one. Transparent
 * pixels can replace white.
 */
export const draw = async (
  page: Page,
  size: { width: number; height: number; type: string; isClear?: boolean },
) =>
  Uint8Array.from(
    await page.evaluate(async ({ width, height, type, isClear }) => {
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
      const [right, lower] = [width / 2, height / 2]
      const quarters: [string, number, number][] = [
        ['red', 0, 0],
        ['lime', right, 0],
        ['blue', right, lower],
        [isClear ? 'transparent' : 'white', 0, lower],
      ]
      for (const [color, x, y] of quarters) {
        context.fillStyle = color
        context.fillRect(x, y, right, lower)
      }
      return [...new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer())]
    }, size),
  )

/** Names the color of each corner, because compression changes a value by little. */
export const colors = (corners: number[][]) =>
  corners.map(([red = 0, green = 0, blue = 0, alpha = 0]) => {
    if (alpha < 20) return 'clear'
    const name = [red, green, blue].map((value) => (value > 200 ? '1' : value < 60 ? '0' : '?')).join('')
    return { 100: 'red', '010': 'green', '001': 'blue', 111: 'white' }[name] ?? `${red} ${green} ${blue}`
  })
