import { useId, useState } from 'react'
import { decimalPlaces, themes, usePreferences } from '../device/preferences.ts'
import { ButtonRow, SettingsGroup, SettingsRow, SwitchRow } from './SettingsGroup.tsx'
import { usePage } from '../../page.ts'

const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const

/** Shows the settings of the calculator itself. They take effect at once and stay on this device. */
export function CalculatorSettings() {
  const { preferences } = usePage()
  const { theme, decimals, keepsHistory } = usePreferences()
  const [isEmpty, setIsEmpty] = useState(() => preferences.history().length === 0)
  const id = useId()
  return (
    <>
      <SettingsGroup title="Appearance">
        <fieldset className="flex min-h-14 flex-wrap items-center justify-between gap-2 px-5 py-2">
          <legend className="float-left contents">
            <span className="py-2">Theme</span>
          </legend>
          <div className="flex flex-wrap gap-1 rounded-xl bg-surface-2 p-1">
            {themes.map((name) => (
              <label
                key={name}
                className="flex min-h-9 cursor-pointer items-center rounded-lg px-3 text-sm font-medium text-ink-2 has-checked:bg-surface has-checked:text-ink dark:has-checked:bg-line has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name={`${id}-theme`}
                  className="sr-only"
                  checked={theme === name}
                  onChange={() => preferences.change({ theme: name })}
                />
                {themeNames[name]}
              </label>
            ))}
          </div>
        </fieldset>
      </SettingsGroup>
      <SettingsGroup title="Calculation">
        <SettingsRow>
          <label htmlFor={`${id}-decimals`}>Decimal places</label>
          <select
            id={`${id}-decimals`}
            className="min-h-11 rounded-xl border border-control bg-surface px-3 text-base"
            value={decimals ?? 'auto'}
            onChange={({ target }) =>
              preferences.change({
                decimals: decimalPlaces.find((places) => String(places) === target.value) ?? null,
              })
            }
          >
            {decimalPlaces.map((places) => (
              <option key={places} value={places ?? 'auto'}>
                {places ?? 'As needed'}
              </option>
            ))}
          </select>
        </SettingsRow>
        <SwitchRow
          label="Keep history"
          description="Shows earlier calculations again when the calculator is opened."
          isOn={keepsHistory}
          onChange={(isOn) => {
            preferences.change({ keepsHistory: isOn })
            setIsEmpty(true)
          }}
        />
        <ButtonRow
          isAtOnce
          disabled={isEmpty}
          onClick={() => {
            preferences.clearHistory()
            setIsEmpty(true)
          }}
        >
          Clear history
        </ButtonRow>
      </SettingsGroup>
    </>
  )
}
