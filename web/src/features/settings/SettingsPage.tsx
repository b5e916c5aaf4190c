import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { IconButton } from '../../shared/ui/Button.tsx'
import { BackIcon } from '../../shared/ui/icons.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'

export function SettingsPage({ backTo, children }: { backTo: string; children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <main className="mx-auto max-w-[560px] space-y-5 p-4 pb-10">
      <header className="flex min-h-10 items-center gap-2">
        <IconButton label="Back" className="-ml-2" onClick={() => void navigate(backTo)}>
          <BackIcon />
        </IconButton>
        <ScreenTitle className="text-xl font-semibold">Settings</ScreenTitle>
      </header>
      {children}
    </main>
  )
}
