import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'

export function SettingsPage({ backTo, children }: { backTo: string; children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader title="Settings" back={{ label: 'Back', onBack: () => void navigate(backTo) }} />
      <div className="space-y-5 p-4">{children}</div>
    </main>
  )
}
