import './recorder.css'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from '../../../shared/lib/cx.ts'
import { MicrophoneIcon, SendIcon } from '../../../shared/ui/icons.tsx'
import type { SendMediaOptions } from '../chosen-media.ts'
import { OnceToggle, onceSentence } from '../once/OnceToggle.tsx'
import type { OnceToggleProps } from '../once/OnceToggle.tsx'
import { RecordingBar } from './RecordingBar.tsx'
import { preloadPreparing, sendRecording } from './send-recording.ts'
import { canRecord } from './take.ts'
import { usePress } from './use-press.ts'
import { createVoiceRecorder } from './voice-recorder.ts'
import type { VoiceRecorder } from './voice-recorder.ts'

export interface VoiceButtonProps {
  /** The options of the chat must not change while it is shown. */
  options: SendMediaOptions
  /** The composer hides the rest of its row while a recording takes its place. */
  onRecording: (isOn: boolean) => void
}

/**
 * Shows the microphone in the composer. While it is held, it records; a tap starts a recording that needs no finger.
 */
export function VoiceButton(props: VoiceButtonProps) {
  return canRecord() ? <Microphone {...props} /> : null
}

const roundClass =
  'inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition duration-100'

function Microphone({ options, onRecording }: VoiceButtonProps) {
  const [recorder] = useState(() =>
    createVoiceRecorder({
      send: (recording, isOnce) => sendRecording(recording, options, isOnce),
      ...{ busy: options.media.busy, pickerGrace: options.media.pickerGrace },
      tell: (title, isError) =>
        options.media.toasts.toast({ title, variant: isError ? 'destructive' : 'default' }),
    }),
  )
  const state = useSyncExternalStore(recorder.subscribe, recorder.get)
  const isOn = state.phase !== 'idle'
  const isHandsFree = isOn && !('isHeld' in state && state.isHeld)
  const [isOnce, setIsOnce] = useState(false)
  // Each recording begins without it.
  if (!isOn && isOnce) setIsOnce(false)
  useEnd(recorder, isOn)
  useLayoutEffect(() => {
    if (!isOn) return undefined
    onRecording(true)
    return () => onRecording(false)
  }, [isOn, onRecording])
  const begin = (isHeld: boolean) => {
    // The playing message is paused, because the microphone would record it.
    options.media.playback.pause()
    preloadPreparing()
    void recorder.begin(isHeld)
  }
  const press = usePress({
    presses: options.media.presses,
    onPress: () => begin(true),
    onRelease: recorder.release,
    onCancel: recorder.discard,
    onActivate: () => begin(false),
  })
  const button = useRef<HTMLButtonElement>(null)
  const wasHandsFree = useRef(false)
  useLayoutEffect(() => {
    // The button that was pressed is gone, so the button that replaced it takes the focus.
    if (isHandsFree !== wasHandsFree.current) button.current?.focus({ preventScroll: true })
    wasHandsFree.current = isHandsFree
  }, [isHandsFree])

  return (
    <div
      className={cx('voice visible flex items-center', isOn && 'absolute inset-0')}
      {...(isOn && { role: 'group', 'aria-label': 'Voice recording' })}
    >
      {isOn && <RecordingBar state={state} onDiscard={recorder.discard} />}
      {isHandsFree && <OnceChoice isOn={isOnce} onChange={setIsOnce} />}
      {isHandsFree ? (
        <button
          key="send"
          ref={button}
          type="button"
          aria-label="Send"
          aria-disabled={state.phase === 'asking' || state.phase === 'sending' || undefined}
          onClick={() => void recorder.send(isOnce)}
          className={cx(roundClass, 'active:scale-95 aria-disabled:opacity-50')}
        >
          <SendIcon />
        </button>
      ) : (
        <button
          key="record"
          ref={button}
          type="button"
          aria-label="Record a voice message"
          data-swipe="own"
          className={cx(roundClass, 'ml-auto touch-none select-none', isOn && 'scale-125')}
          {...press}
        >
          <MicrophoneIcon />
        </button>
      )}
    </div>
  )
}

/** Stands before the send button. */
function OnceChoice(props: OnceToggleProps) {
  return (
    <>
      <span className="mr-2 ml-auto flex">
        <OnceToggle {...props} />
      </span>
      {props.isOn && (
        <p className="absolute inset-x-0 bottom-full mb-2 rounded-xl border border-line bg-surface px-3 py-1 text-center text-sm text-ink-2">
          {onceSentence()}
        </p>
      )}
    </>
  )
}

/** Discards the recording when the chat or the page is left or Escape is pressed. */
function useEnd({ discard }: VoiceRecorder, isOn: boolean): void {
  useEffect(() => discard, [discard])
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') discard()
    }
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('pagehide', discard)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('pagehide', discard)
    }
  }, [isOn, discard])
}
