import { configureStore } from '@reduxjs/toolkit'
import { useDispatch } from 'react-redux'
import type { Page } from '../page.ts'
import { api } from './base-api.ts'

/** Creates the store of a page. Its thunks and endpoints receive the page as their extra argument. */
export const createStore = (page: Page) =>
  configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults({ thunk: { extraArgument: page } }).concat(api.middleware),
    devTools: import.meta.env?.DEV === true,
  })

export type Store = ReturnType<typeof createStore>
export type AppDispatch = Store['dispatch']
export type RootState = ReturnType<Store['getState']>
export const useAppDispatch = useDispatch.withTypes<AppDispatch>()
