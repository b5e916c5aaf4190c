// All shared components in all states: `npm run dev`, then /gallery/ (not part of the build).
import { useState } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Avatar } from '../src/features/conversations/Avatar.tsx'
import { MessageBubble } from '../src/features/chat/MessageBubble.tsx'
import { PendingBubble } from '../src/features/chat/PendingBubble.tsx'
import { ButtonRow, SettingsGroup, SettingsRow, SwitchRow } from '../src/features/settings/SettingsGroup.tsx'
import { Button } from '../src/shared/ui/Button.tsx'
import { Dialog } from '../src/shared/ui/Dialog.tsx'
import { GearIcon, SearchIcon } from '../src/shared/ui/icons.tsx'
import { EmptyState } from '../src/shared/ui/EmptyState.tsx'
import { Notice } from '../src/shared/ui/Notice.tsx'
import { RowSkeletons } from '../src/shared/ui/RowSkeletons.tsx'
import { ScreenHeader } from '../src/shared/ui/ScreenHeader.tsx'
import { Spinner } from '../src/shared/ui/Spinner.tsx'
import { TextField } from '../src/shared/ui/TextField.tsx'
import { TipButton, Tooltips } from '../src/shared/ui/TipButton.tsx'
import { createEntry } from '../src/app/create-entry.ts'
import { createPage } from '../src/app/create-page.ts'
import { deviceStorage } from '../src/features/device/safe-storage.ts'
import { PageContext } from '../src/page.ts'
import { Toaster } from '../src/shared/ui/Toaster.tsx'
import '../src/styles.css'

const nothing = () => undefined
const message = {
  id: 'm1',
  conversationId: 'c1',
  senderId: 'u1',
  clientMessageId: 'k1',
  seq: 1,
  content: 'Lunch at noon? See https://example.com/menu',
  mediaUrl: null,
  isRead: false,
  messageType: 'text' as const,
  createdAt: new Date().toISOString(),
}
const unsent = (status: 'waiting' | 'failed') => ({
  message: { ...message, messageType: 'text' as const },
  createdAtMs: Date.now(),
  status,
  failure:
    status === 'failed'
      ? { status: 404, code: null, message: 'The conversation is gone.', resetsAt: null, retryAfterMs: null }
      : null,
})

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-3">
      <h2 className="text-sm font-medium text-ink-2">{title}</h2>
      {children}
    </section>
  )
}

const page = createPage({
  entry: createEntry(),
  storage: deviceStorage,
  fetch: (...call) => fetch(...call),
  channel: () => undefined,
})
const { toast } = page.toasts

function Settings() {
  const [isOn, setIsOn] = useState(true)
  return (
    <Part title="Settings">
      <SettingsGroup title="Security">
        <SwitchRow label="Discreet" description="What it does" isOn={isOn} onChange={setIsOn} />
        <SwitchRow label="Failed" error="It was not saved. Try again." isOn={false} onChange={nothing} />
        <ButtonRow onClick={nothing}>End other sessions</ButtonRow>
        <ButtonRow isDanger onClick={nothing}>
          Logout
        </ButtonRow>
        <ButtonRow disabled onClick={nothing}>
          Clear history
        </ButtonRow>
        <SettingsRow>
          <span>Row</span>
          <Avatar name="Ada" />
        </SettingsRow>
      </SettingsGroup>
    </Part>
  )
}

const Messages = () => (
  <Part title="Messages">
    <MessageBubble message={message} text={message.content} isOwn={false} isFirst isLast={false} />
    <MessageBubble
      message={message}
      text={null}
      reason="Your keys do not open here"
      isOwn={false}
      isFirst={false}
      isLast
    />
    <MessageBubble message={message} text={message.content} isOwn isFirst isLast={false} />
    <MessageBubble message={{ ...message, isRead: true }} text="👍" isOwn isFirst={false} isLast={false} />
    <PendingBubble item={unsent('waiting')} retryLabel="Try again" onRetry={nothing} onDiscard={nothing} />
    <PendingBubble item={unsent('failed')} retryLabel="Try again" onRetry={nothing} onDiscard={nothing} />
  </Part>
)

function Gallery() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Tooltips>
      <ScreenHeader title="Components" back={{ label: 'Back', onBack: nothing }}>
        <TipButton label="Settings">
          <GearIcon />
        </TipButton>
      </ScreenHeader>
      <main className="mx-auto max-w-[560px] space-y-8 p-4">
        {(['primary', 'secondary', 'ghost', 'danger'] as const).map((variant) => (
          <Part key={variant} title={`Button: ${variant}`}>
            <div className="flex flex-wrap gap-2">
              <Button variant={variant}>Continue</Button>
              <Button variant={variant} isBusy>
                Continue
              </Button>
              <Button variant={variant} disabled>
                Continue
              </Button>
            </div>
          </Part>
        ))}
        <Part title="Fields">
          <TextField label="Username" hint="As others see it" defaultValue="ada" />
          <TextField label="Password" type="password" defaultValue="correct horse" />
          <TextField label="Email" defaultValue="ada" error="Enter an e-mail address" />
          <TextField label="Phone" disabled defaultValue="+1 555 0100" />
        </Part>
        <Part title="Notices">
          <Notice kind="warning">Nobody can recover it for you.</Notice>
          <Notice kind="error">Check your connection and try again.</Notice>
        </Part>
        <Settings />
        <Messages />
        <Part title="Loading and empty">
          <Spinner label="Loading conversations..." />
          <RowSkeletons count={2} />
          <EmptyState
            icon={<SearchIcon size={48} />}
            title="Nothing here yet"
            action={<Button>Add one</Button>}
          >
            Say what comes next.
          </EmptyState>
        </Part>
        <Part title="Over the page">
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setIsOpen(true)}>
              Dialog
            </Button>
            <Button variant="secondary" onClick={() => toast({ title: 'Copied to clipboard' })}>
              Toast
            </Button>
            <Button
              variant="secondary"
              onClick={() =>
                toast({ title: 'Login failed', description: 'Try again.', variant: 'destructive' })
              }
            >
              Failed
            </Button>
          </div>
        </Part>
      </main>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="A dialog" description="A sheet on phones.">
        <Button className="w-full" onClick={() => toast({ title: 'Above the dialog' })}>
          Toast
        </Button>
      </Dialog>
      <Toaster />
    </Tooltips>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <PageContext value={page}>
      <Gallery />
    </PageContext>,
  )
