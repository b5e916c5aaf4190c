import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { randomId } from '@sumlock/sync/random-id'
import { useEffect, useId, useState } from 'react'
import { useSession } from '../../page.ts'
import { Notice } from '../../shared/ui/Notice.tsx'
import { timeName, timerChoices } from '../conversations/time-names.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { focusLog } from './focus-log.ts'
import { useSetTimerMutation } from './options-api.ts'

interface TimerDialogProps {
  id: string
  /** The name of the other person. */
  name: string
  timer: Conversation['timer']
  onClose: () => void
}

/** Sets after which time the next messages of both people vanish. */
export function TimerDialog({ id, name, timer, onClose }: TimerDialogProps) {
  const { userId } = useSession()
  const [set, { isLoading }] = useSetTimerMutation()
  const present = timer?.vanishMs ?? null
  const [choice, setChoice] = useState(() => ({ vanishMs: present, actId: randomId() }))
  const [opened] = useState(timer?.id)
  useFocusOnLog()
  const isChanged = timer !== undefined && timer.id !== opened && timer.id !== choice.actId
  const save = async () => {
    const body = { id: choice.actId, vanishMs: choice.vanishMs, replaces: timer?.id ?? null }
    const outcome = await set({ id, body }).unwrap()
    // Otherwise the dialog says who has changed it.
    if (outcome === 'set') onClose()
  }
  return (
    <ConfirmDialog
      title="Vanishing messages"
      description={`New messages from you and ${name} vanish after this time. It starts for the sender when a message is sent, for the other one when it is read.`}
      action="Save"
      isHarmless
      isDisabled={choice.vanishMs === present}
      isBusy={isLoading}
      onConfirm={save}
      onClose={onClose}
    >
      <Choices chosen={choice.vanishMs} onChoose={(vanishMs) => setChoice({ vanishMs, actId: randomId() })} />
      <div role="status">
        {isChanged && (
          <Notice kind="warning">
            {timer.by === userId ? 'You' : name} changed it meanwhile. It is now {choiceName(present)}.
          </Notice>
        )}
      </div>
      <p className="text-sm text-ink-2">
        Photos, videos and voice messages stay at least 5 minutes. A camera or a changed app can keep what was
        shown.
      </p>
    </ConfirmDialog>
  )
}

/** The button that has opened the dialog may have left with the former timer. */
function useFocusOnLog(): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusLog()
    },
    [],
  )
}

const choiceName = (vanishMs: VanishMs | null) => (vanishMs === null ? 'Off' : timeName(vanishMs))

interface ChoicesProps {
  chosen: VanishMs | null
  onChoose: (vanishMs: VanishMs | null) => void
}

function Choices({ chosen, onChoose }: ChoicesProps) {
  const name = useId()
  return (
    <fieldset className="-mx-2">
      <legend className="sr-only">Vanish after</legend>
      {timerChoices.map((vanishMs) => (
        <label
          key={vanishMs}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-2 hover:bg-surface-2"
        >
          <input
            type="radio"
            name={name}
            className="size-5 shrink-0 accent-accent"
            checked={chosen === vanishMs}
            onChange={() => onChoose(vanishMs)}
          />
          {choiceName(vanishMs)}
        </label>
      ))}
    </fieldset>
  )
}
