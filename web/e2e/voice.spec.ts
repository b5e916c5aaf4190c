import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { openPair, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { leftIn, playingIn, watchMedia } from './played-media.ts'
import { refusalsIn } from './policy.ts'
import { sendPlain, storedIn, storedObject } from './stored-media.ts'
import { strokeByTouch } from './touch.ts'

const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(username) }).click()
const idOf = ({ page }: Visitor) => page.url().split('/').at(-1) as string
const microphone = (page: Page) => page.getByRole('button', { name: 'Record a voice message' })
const recorded = (page: Page) => page.getByRole('timer', { name: 'Recorded' })
/** A busy machine may skip a second. */
const expectRecorded = (page: Page, seconds: number) =>
  expect
    .poll(async () => Number((await recorded(page).textContent())?.replace(':', '')))
    .toBeGreaterThanOrEqual(seconds)
const messages = (page: Page) => page.getByRole('log').getByRole('group', { name: 'Voice message' })

/**
 * Opens the chat of two people; the first may use the microphone. `ended` counts the devices that the page has
 * released.
 */
async function openTalk(browser: Browser, project: string) {
  const [ada, ben] = await openPair(browser, project, { isPremium: true })
  const ended: string[] = []
  await ada.context.grantPermissions(['microphone'])
  await ada.context.exposeFunction('noteEnd', (what: string) => void ended.push(what))
  await ada.context.addInitScript(() => {
    const note = (window as unknown as { noteEnd: (what: string) => void }).noteEnd
    const { stop } = MediaStreamTrack.prototype
    MediaStreamTrack.prototype.stop = function () {
      stop.call(this)
      note(`track ${this.readyState}`)
    }
    const { close } = AudioContext.prototype
    AudioContext.prototype.close = function () {
      note('audio')
      return close.call(this)
    }
  })
  await ada.page.reload()
  await openChat(ben, ada)
  return { ada, ben, ended, id: idOf(ada) }
}

/** Plays the only voice message and waits until its position passes the first second, even if it ends soon after. */
async function expectToPlay(page: Page): Promise<void> {
  const place = messages(page).getByRole('slider', { name: 'Position' })
  await place.evaluate((slider) => {
    const note = () => slider.toggleAttribute('data-heard', slider.ariaValueText?.startsWith('0:01'))
    const changes = new MutationObserver(() => {
      note()
      if (slider.hasAttribute('data-heard')) changes.disconnect()
    })
    changes.observe(slider, { attributeFilter: ['aria-valuetext'] })
  })
  await messages(page).getByRole('button', { name: 'Play' }).click()
  await expect(place).toHaveAttribute('data-heard')
}

/** Returns the middle of the microphone button. */
async function middleOf(page: Page) {
  const box = await microphone(page).boundingBox()
  if (!box) throw new Error('There is no microphone.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test(
  'a voice message is recorded by a tap, crosses sealed, and is played at twice the speed',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const { ada, ben, ended, id } = await openTalk(browser, project.name)
    const refused = refusalsIn(ada.page, ben.page)

    await test.step('a tap records hands-free, and one press sends', async () => {
      await ada.picture('composer-with-microphone')
      await microphone(ada.page).click()
      await expect(ada.page.getByRole('button', { name: 'Send', exact: true })).toBeFocused()
      await expect(ada.page.getByLabel('Message', { exact: true })).toBeHidden()
      await expectRecorded(ada.page, 3)
      await ada.picture('voice-recording')
      await ada.page.keyboard.press('Enter')
      await expect(messages(ben.page)).toHaveCount(1)
      await expect(messages(ada.page)).toHaveCount(1)
      await expect(microphone(ada.page)).toBeFocused()
      expect(ended).toEqual(['track ended', 'audio'])
    })

    await test.step('the server holds a sealed object', async () => {
      expect((await storedIn(ada, id))[0]).toMatchObject({ messageType: 'voice', sealed: { v: 1 } })
      const object = await storedObject(ben, id)
      expect(object.subarray(0, 3).toString('latin1')).toBe('SL1')
      expect(object.includes('webm')).toBe(false)
    })

    await test.step('the other side plays it, at the speed of its choice', async () => {
      const { page } = ben
      const place = messages(page).getByRole('slider', { name: 'Position' })
      await expect(place).toHaveAttribute('aria-valuetext', /^0:00 of 0:\d\d$/)
      await expectToPlay(page)
      await ben.picture('voice-playing')
      for (const speed of ['1×', '1.5×'])
        await messages(page)
          .getByRole('button', { name: `Speed ${speed}` })
          .click()
      await expect(messages(page).getByRole('button', { name: 'Speed 2×' })).toBeVisible()
      // It ends by itself.
      await expect(messages(page).getByRole('button', { name: 'Play' })).toBeVisible()
      await place.focus()
      await page.keyboard.press('End')
      await expect(place).toHaveAttribute('aria-valuetext', /^(0:\d\d) of \1$/)
    })

    await test.step('the list names it', async () => {
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(ben.page.getByText('Voice message', { exact: true })).toBeVisible()
    })

    await test.step('it stops when it is deleted for both, and nothing of it stays', async () => {
      const { page } = ben
      await page.evaluate(watchMedia)
      await openChat(ben, ada)
      await messages(page).getByRole('button', { name: 'Play' }).click()
      await expect.poll(() => playingIn(page)).toEqual([true])
      await messages(ada.page).dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
      await ada.page.getByRole('menuitem', { name: 'Delete for both' }).click()
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete for both' }).click()
      await expect(page.getByRole('log').getByText('Deleted message')).toBeVisible()
      await expect.poll(() => leftIn(page)).toEqual({ playing: 0, urls: [] })
    })
    expect(refused).toEqual([])
  },
)

test(
  'a held microphone sends when it is released; a slide and Escape discard',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const { ada, ended, id } = await openTalk(browser, project.name)
    const { page } = ada
    const isPhone = project.use.hasTouch === true
    const session = await ada.context.newCDPSession(page)
    const point = await middleOf(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = point.x) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x, y: point.y }],
      })
    const press = async () => {
      if (isPhone) return touch('touchStart')
      await page.mouse.move(point.x, point.y)
      return page.mouse.down()
    }
    const moveBy = (byX: number) =>
      isPhone ? touch('touchMove', point.x + byX) : page.mouse.move(point.x + byX, point.y)
    const letGo = () => (isPhone ? touch('touchEnd') : page.mouse.up())

    await press()
    await expectRecorded(page, 2)
    await ada.picture('voice-held')
    await letGo()
    await expect(messages(page)).toHaveCount(1)
    await expect(recorded(page)).toBeHidden()

    await test.step('a slide discards', async () => {
      await press()
      await expectRecorded(page, 1)
      await moveBy(-100)
      await expect(recorded(page)).toBeHidden()
      await letGo()
      await expect(microphone(page)).toBeVisible()
    })
    await test.step('Escape discards what a key has begun', async () => {
      await microphone(page).focus()
      await page.keyboard.press('Space')
      await expectRecorded(page, 1)
      await page.keyboard.press('Escape')
      await expect(microphone(page)).toBeFocused()
    })
    expect(ended).toEqual(Array.from({ length: 3 }, () => ['track ended', 'audio']).flat())
    expect(await storedIn(ada, id)).toHaveLength(1)
  },
)

test(
  'a lock while recording turns the microphone off and leaves nothing of the recording',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const { ada, ben, ended, id } = await openTalk(browser, project.name)
    const { page } = ada
    await microphone(page).click()
    await expectRecorded(page, 1)
    await strokeByTouch(page, { from: { x: 195, y: 420 }, byX: 120 })
    await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
    await expect.poll(() => ended).toEqual(['track ended', 'audio'])
    await expect(async () => {
      expect((await page.request.get('/api/conversations')).status()).toBe(423)
    }).toPass()
    await unlockOnKeypad(ada)
    await openChat(ada, ben)
    await expect(microphone(page)).toBeVisible()
    await expect(page.getByText(/Say hello/)).toBeVisible()
    expect(await storedIn(ada, id)).toEqual([])
  },
)

test(
  'a microphone that is not allowed says what to do; a voice message of an API client is played',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const { ada, ben, id } = await openTalk(browser, project.name)
    await ada.context.clearPermissions()
    await microphone(ada.page).click()
    const sentence =
      'The microphone is not allowed here. Allow it in the settings of your browser and try again.'
    await expect(ada.page.getByText(sentence, { exact: true })).toBeVisible()
    await expect(microphone(ada.page)).toBeFocused()

    await sendPlain(ben, { conversationId: id, messageType: 'voice' }, await recordRaw(ada))
    await expectToPlay(ada.page)
  },
)

/** Records a second and a half from the microphone in the browser's own format. */
async function recordRaw({ page, context }: Visitor): Promise<Buffer> {
  await context.grantPermissions(['microphone'])
  const bytes = await page.evaluate(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    const recorder = new MediaRecorder(stream, { mimeType: 'audio/webm;codecs=opus' })
    const parts: Blob[] = []
    recorder.start(500)
    await new Promise<void>((resolve) => {
      recorder.ondataavailable = ({ data }) => {
        parts.push(data)
        if (parts.length === 3) resolve()
      }
    })
    recorder.stop()
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  return Buffer.from(bytes)
}
