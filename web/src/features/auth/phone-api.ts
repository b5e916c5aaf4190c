import { api } from '../../api/base-api.ts'

export interface CodeSent {
  resendAfterSeconds: number
  expiresInSeconds: number
  demoCode?: string
}

const phoneApi = api.injectEndpoints({
  endpoints: (build) => ({
    requestPhoneCode: build.mutation<CodeSent, string>({
      query: (phone) => ({ url: '/api/phone/request-code', method: 'POST', body: { phone } }),
    }),
    verifyPhoneCode: build.mutation<unknown, string>({
      query: (code) => ({ url: '/api/phone/verify-code', method: 'POST', body: { code } }),
    }),
  }),
})

export const { useRequestPhoneCodeMutation, useVerifyPhoneCodeMutation } = phoneApi
