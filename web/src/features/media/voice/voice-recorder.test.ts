import { jest } from '@jest/globals'
import { FakeMicrophone } from '../../../../test/fake-microphone.ts'
import type { Recording } from './take.ts'
import { longestMs } from './capture.ts'
import { createVoiceRecorder, hint } from './voice-recorder.ts'
import type { VoiceRecorder } from './voice-recorder.ts'
import { pickerGrace, busy } from '../../../../test/page.ts'

let microphone: FakeMicrophone
let recorder: VoiceRecorder
let sent: Recording[]
let told: string[]
let refuse: Error | undefined
let isHidden = false
Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
const hide = () => {
  isHidden = true
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
  isHidden = false
  refuse = undefined
  sent = []
  told = []
  microphone = new FakeMicrophone()
  microphone.install()
  recorder = createVoiceRecorder({
    send: (recording) => {
      sent.push(recording)
      return refuse ? Promise.reject(refuse) : Promise.resolve()
    },
    tell: (sentence) => told.push(sentence),
    ...{ busy, pickerGrace },
  })
})
afterEach(() => {
  recorder.discard()
  jest.useRealTimers()
})

const settle = () => jest.advanceTimersByTimeAsync(0)
const phase = () => recorder.get().phase
/** Nothing is left on, and nothing keeps the page unlocked. */
const expectAllOff = () => {
  expect(microphone.openDevices()).toEqual([])
  expect(busy.isBusy()).toBe(false)
  expect(pickerGrace.isArmed()).toBe(false)
}

it('a recording held for longer than a second is sent when it is released', async () => {
  await recorder.begin(true)
  expect(phase()).toBe('recording')
  expect(busy.isBusy()).toBe(true)
  jest.advanceTimersByTime(2000)
  recorder.release(false)
  expectAllOff()
  await settle()
  expect(sent).toMatchObject([{ ms: 2000, sound: { size: 5, type: 'audio/webm;codecs=opus' } }])
  expect(sent[0]?.levels).toEqual(Array.from({ length: 40 }, () => 0.25))
  expect(phase()).toBe('idle')
})

it('a recording held for less than a second is dropped with a hint', async () => {
  await recorder.begin(true)
  jest.advanceTimersByTime(950)
  recorder.release(false)
  await settle()
  expect(sent).toEqual([])
  expect(told).toEqual([hint])
  expectAllOff()
})

it('after a tap it records until the send button is pressed', async () => {
  await recorder.begin(true)
  recorder.release(true)
  jest.advanceTimersByTime(500)
  recorder.release(false)
  expect(recorder.get()).toMatchObject({ phase: 'recording', isHeld: false, ms: 500 })
  await recorder.send()
  expect(sent).toHaveLength(1)
})

it('after five minutes the microphone is off and the recording waits', async () => {
  await recorder.begin(false)
  jest.advanceTimersByTime(longestMs + 1000)
  expect(recorder.get()).toMatchObject({ phase: 'ready', ms: longestMs })
  expectAllOff()
  await recorder.send()
  expect(sent[0]).toMatchObject({ ms: longestMs })
})

it('a recording that cannot be prepared is kept and can be sent again', async () => {
  await recorder.begin(false)
  jest.advanceTimersByTime(1000)
  refuse = new Error('Check your connection.')
  await recorder.send()
  expect(told).toEqual(['Check your connection.'])
  expect(phase()).toBe('ready')
  refuse = undefined
  await recorder.send()
  expect(sent).toHaveLength(2)
  expect(phase()).toBe('idle')
})

it.each<[string, () => void]>([
  ['discarded', () => recorder.discard()],
  ['hidden', hide],
])('a recording that is %s ends at once and leaves nothing', async (_what, end) => {
  await recorder.begin(false)
  jest.advanceTimersByTime(3000)
  end()
  expectAllOff()
  await settle()
  expect(phase()).toBe('idle')
  expect(sent).toEqual([])
})

it('a page that is hidden drops what waits to be sent', async () => {
  await recorder.begin(false)
  jest.advanceTimersByTime(longestMs)
  hide()
  await recorder.send()
  expect(sent).toEqual([])
})

describe('while the browser asks for the microphone', () => {
  beforeEach(() => {
    microphone.isAsking = true
  })
  const answer = async () => {
    microphone.answer()
    await settle()
  }

  it('the page may be hidden, and a tap goes on when it is allowed', async () => {
    void recorder.begin(true)
    expect(pickerGrace.isArmed()).toBe(true)
    hide()
    isHidden = false
    recorder.release(true)
    await answer()
    expect(phase()).toBe('recording')
    expect(pickerGrace.isArmed()).toBe(false)
  })

  it.each<[string, () => void]>([
    ['is still hidden', hide],
    ['has given it up', () => recorder.discard()],
    ['has ended its hold', () => recorder.release(false)],
  ])('nothing is recorded for a page that %s', async (_what, end) => {
    void recorder.begin(true)
    end()
    await answer()
    expect(phase()).toBe('idle')
    expectAllOff()
  })
})

it.each([
  ['NotAllowedError', 'The microphone is not allowed here.'],
  ['NotFoundError', 'No microphone was found.'],
  ['NotReadableError', 'The microphone cannot be used right now.'],
  ['TypeError', 'The recording has failed.'],
])('%s is reported in a sentence that says what to do', async (refusal, sentence) => {
  microphone.refusal = refusal
  await recorder.begin(true)
  expect(told).toEqual([expect.stringMatching(`^${sentence} .*again\\.$`)])
  expect(phase()).toBe('idle')
  expectAllOff()
})

it('a microphone that is unplugged leaves what it recorded, ready to be sent', async () => {
  await recorder.begin(false)
  jest.advanceTimersByTime(1500)
  microphone.recorder?.stop()
  await settle()
  expect(recorder.get()).toMatchObject({ phase: 'ready', ms: 1500 })
  await recorder.send()
  expect(sent[0]?.sound.size).toBe(5)
  expectAllOff()
})

it('an error of the recorder drops the recording and says so', async () => {
  await recorder.begin(false)
  microphone.recorder?.onerror?.(new Event('error'))
  expect(told).toEqual([expect.stringMatching(/^The recording has stopped/)])
  expectAllOff()
})
