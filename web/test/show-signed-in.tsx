import { render } from './render.tsx'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { AuthProvider } from '../src/features/session/AuthProvider.tsx'
import { RequireUser } from '../src/features/session/RequireUser.tsx'
import { Tooltips } from '../src/shared/ui/TipButton.tsx'
import { store } from './page.ts'

/** Shows routes behind the sign-in at an address. Every other address shows 'elsewhere', or is one of `outside`. */
export const showSignedIn = (
  routes: ReactNode,
  address: string | { pathname: string; state: object },
  outside?: ReactNode,
) =>
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[address]}>
        <AuthProvider>
          <Tooltips>
            <Routes>
              <Route element={<RequireUser />}>{routes}</Route>
              {outside}
              <Route path="*" element={<p>elsewhere</p>} />
            </Routes>
          </Tooltips>
        </AuthProvider>
      </MemoryRouter>
    </Provider>,
  )
