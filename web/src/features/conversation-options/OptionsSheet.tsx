import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { ReactNode } from 'react'
import { SecurityCode } from '../../app/chunks/unlocked.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import {
  BlockIcon,
  GalleryIcon,
  KeyIcon,
  MuteIcon,
  OverviewIcon,
  PencilIcon,
  ReportIcon,
  SearchIcon,
  UnmuteIcon,
} from '../../shared/ui/icons.tsx'
import { DeleteIcon } from '../../shared/ui/first-icons.ts'
import { useListConversationsQuery } from '../conversations/messaging-api.ts'
import { timeName } from '../conversations/time-names.ts'
import { HourglassIcon } from './hourglass-icon.tsx'
import { NicknameDialog } from './NicknameDialog.tsx'
import { useChangeStateMutation } from './options-api.ts'
import { BlockDialog } from './BlockDialog.tsx'
import type { ConversationOptionsProps } from './ConversationOptions.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { ReportDialog } from './ReportDialog.tsx'
import { TimerDialog } from './TimerDialog.tsx'
import { usePage } from '../../page.ts'

export type ShownOption = 'menu' | 'nickname' | 'timer' | 'code' | 'block' | 'report' | 'delete' | null

export interface OptionsSheetProps extends ConversationOptionsProps {
  shown: ShownOption
  setShown: (shown: ShownOption) => void
}

/** Shows the options of a chat, and the dialogs that they open. */
export function OptionsSheet(props: OptionsSheetProps) {
  const { toast, toastFailure } = usePage().toasts
  const { id, name, isMuted, isBlocked, onAddMedia, onSearch, onMedia, shown, setShown } = props
  const [change] = useChangeStateMutation()
  const close = () => setShown(null)
  const leadTo = (open: () => void) => () => {
    close()
    open()
  }
  const apply = async (wanted: { isMuted: boolean } | { isBlocked: boolean }, title?: string) => {
    close()
    try {
      await change({ id, ...wanted }).unwrap()
      if (title) toast({ title })
    } catch (error) {
      toastFailure('Not changed', error)
    }
  }
  const dialog = { id, name, onClose: close }
  const { accountName, timer, canSetTimer } = useRowOf(id)
  return (
    <>
      <Dialog
        open={shown === 'menu'}
        onOpenChange={close}
        title={name}
        {...(accountName !== undefined && { description: `User name: ${accountName}` })}
      >
        <ul className="-mx-2">
          <Option icon={<SearchIcon />} label="Search" onChoose={leadTo(onSearch)} />
          <Option icon={<OverviewIcon />} label="Photos, videos and voice" onChoose={leadTo(onMedia)} />
          {onAddMedia && <Option icon={<GalleryIcon />} label="Add media" onChoose={leadTo(onAddMedia)} />}
          <Option
            icon={isMuted ? <UnmuteIcon /> : <MuteIcon />}
            label={isMuted ? 'Unmute' : 'Mute'}
            onChoose={() =>
              void apply(
                { isMuted: !isMuted },
                isMuted ? `${name} is not muted any more` : `${name} is muted`,
              )
            }
          />
          <Option icon={<PencilIcon />} label="Nickname" onChoose={() => setShown('nickname')} />
          {canSetTimer && <TimerOption timer={timer} onChoose={() => setShown('timer')} />}
          <Option icon={<KeyIcon />} label="Security code" onChoose={() => setShown('code')} />
          <Option
            icon={<BlockIcon />}
            label={isBlocked ? 'Unblock' : 'Block'}
            onChoose={() => (isBlocked ? void apply({ isBlocked: false }) : setShown('block'))}
          />
          <Option icon={<ReportIcon />} label="Report" onChoose={() => setShown('report')} />
          <Option
            icon={<DeleteIcon />}
            label="Delete conversation"
            onChoose={() => setShown('delete')}
            isDanger
          />
        </ul>
      </Dialog>
      {shown === 'nickname' && (
        <NicknameDialog
          id={id}
          accountName={accountName ?? name}
          nickname={accountName === undefined ? '' : name}
          onClose={close}
        />
      )}
      {shown === 'timer' && <TimerDialog {...dialog} timer={timer} />}
      {shown === 'code' && <SecurityCode {...dialog} />}
      {shown === 'block' && <BlockDialog {...dialog} />}
      {shown === 'report' && <ReportDialog {...dialog} />}
      {shown === 'delete' && <DeleteDialog {...dialog} />}
    </>
  )
}

const useRowOf = (id: string) =>
  useListConversationsQuery(undefined, {
    selectFromResult: ({ data }) => {
      const row = data?.rows.find((one) => one.id === id)
      const canSetTimer = row !== undefined && !row.isRequest && !row.otherUser.isGone
      return { accountName: row?.otherUser.accountName, timer: row?.timer, canSetTimer }
    },
  })

function TimerOption({ timer, onChoose }: { timer: Conversation['timer']; onChoose: () => void }) {
  const value = timer?.vanishMs ? timeName(timer.vanishMs) : 'Off'
  return <Option icon={<HourglassIcon />} label="Vanishing messages" {...{ value, onChoose }} />
}

interface OptionProps {
  icon: ReactNode
  label: string
  /** The present choice. */
  value?: string
  onChoose: () => void
  isDanger?: boolean
}

function Option({ icon, label, value, onChoose, isDanger = false }: OptionProps) {
  return (
    <li>
      <button
        type="button"
        className={`flex min-h-12 w-full items-center gap-4 rounded-xl px-2 text-left hover:bg-surface-2 ${isDanger ? 'text-danger' : ''}`}
        onClick={onChoose}
      >
        {icon}
        <span className="flex-1">{label}</span>
        {value !== undefined && <span className="text-sm text-ink-2">{value}</span>}
      </button>
    </li>
  )
}
