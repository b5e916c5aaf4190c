import { api } from '../../api/base-api.ts'

const settingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    setUpPin: build.mutation<unknown, string>({
      query: (numericPassword) => ({
        url: '/api/setup-numeric-password',
        method: 'POST',
        body: { numericPassword },
      }),
    }),
  }),
})

export const { useSetUpPinMutation } = settingsApi
