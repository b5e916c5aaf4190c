import { useState } from 'react'
import { LegalDialog } from '../legal/LegalDialog.tsx'
import { legalTitles } from '../legal/LegalReading.tsx'
import type { LegalKind } from '../legal/LegalReading.tsx'
import { ButtonRow, SettingsGroup } from './SettingsGroup.tsx'

export function LegalSettings() {
  const [reading, setReading] = useState<LegalKind | null>(null)
  return (
    <>
      <SettingsGroup title="Legal">
        <ButtonRow onClick={() => setReading('privacy')}>{legalTitles.privacy}</ButtonRow>
        <ButtonRow onClick={() => setReading('terms')}>{legalTitles.terms}</ButtonRow>
      </SettingsGroup>
      <LegalDialog reading={reading} onClose={() => setReading(null)} />
    </>
  )
}
