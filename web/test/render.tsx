import * as library from '@testing-library/react'
import type { RenderHookOptions, RenderOptions } from '@testing-library/react'
import type { ComponentType, ReactNode } from 'react'
import { Provider } from 'react-redux'
import { PreferencesContext } from '../src/features/device/preferences.ts'
import { PageContext, SessionContext } from '../src/page.ts'
import type { Session } from '../src/features/conversations/open-session.ts'
import { media, store, testPage } from './page.ts'

export * from '@testing-library/react'

type Wrapper = ComponentType<{ children: ReactNode }>

/** The only parts of a session that a chat with media needs. */
const onlyMedia = { media } as Session

/** Wraps everything that a test renders in the page of the test, outside of the test's own wrapper. */
const onPage =
  (Inner?: Wrapper): Wrapper =>
  ({ children }) => (
    <PageContext value={testPage}>
      <PreferencesContext value={testPage.preferences}>
        <SessionContext value={onlyMedia}>
          <Provider store={store}>{Inner ? <Inner>{children}</Inner> : children}</Provider>
        </SessionContext>
      </PreferencesContext>
    </PageContext>
  )

export const render = (ui: ReactNode, { wrapper, ...options }: RenderOptions = {}) =>
  library.render(ui, { ...options, wrapper: onPage(wrapper as Wrapper | undefined) })

export const renderHook = <Result, Props>(
  hook: (props: Props) => Result,
  { wrapper, ...options }: RenderHookOptions<Props> = {},
) => library.renderHook(hook, { ...options, wrapper: onPage(wrapper as Wrapper | undefined) })
