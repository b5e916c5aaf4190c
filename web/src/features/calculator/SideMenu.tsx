import { useState } from 'react'
import { IconButton } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { MenuIcon } from '../../shared/ui/first-icons.ts'
import { AboutText, HelpText } from './menu-texts.tsx'

type Page = 'menu' | 'help' | 'about'

export function SideMenu({ onSettings }: { onSettings: () => void }) {
  const [page, setPage] = useState<Page | null>(null)
  const close = () => setPage(null)
  return (
    <>
      <IconButton
        label="Menu"
        className="touch-manipulation"
        aria-haspopup="dialog"
        aria-expanded={page === 'menu'}
        onClick={() => setPage('menu')}
      >
        <MenuIcon size={24} />
      </IconButton>
      <Dialog open={page === 'menu'} onOpenChange={close} title="Calculator" isSheet>
        <nav aria-label="Menu" className="-mx-3">
          <Item onClick={onSettings}>Settings</Item>
          <Item onClick={() => setPage('help')}>{'Help & Support'}</Item>
          <Item onClick={() => setPage('about')}>About</Item>
        </nav>
      </Dialog>
      <Dialog open={page === 'help'} onOpenChange={close} title="Help & Support">
        <HelpText />
      </Dialog>
      <Dialog open={page === 'about'} onOpenChange={close} title="About">
        <AboutText />
      </Dialog>
    </>
  )
}

function Item({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-12 w-full items-center rounded-xl px-3 text-left text-lg transition hover:bg-surface-2 active:bg-surface-2"
    >
      {children}
    </button>
  )
}
