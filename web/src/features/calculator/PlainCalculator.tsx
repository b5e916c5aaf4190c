import { useContext, useReducer } from 'react'
import { PreferencesContext } from '../device/preferences.ts'
import { CalculatorView } from './CalculatorView.tsx'
import { reduceCalculator } from './machine.ts'
import { SideMenu } from './SideMenu.tsx'
import { startingCalculator, useKeptHistory } from './use-kept-history.ts'
import { useKeyboard } from './use-keyboard.ts'

/** Shows a calculator that needs no store, router or server, so it works when these have failed. */
export function PlainCalculator() {
  const [state, press] = useReducer(reduceCalculator, useContext(PreferencesContext), startingCalculator)
  useKeptHistory(state.history)
  useKeyboard(press)
  return (
    <CalculatorView
      state={state}
      onKey={press}
      onSwipe={() => press('backspace')}
      menu={<SideMenu onSettings={() => window.location.assign('/settings')} />}
    />
  )
}
