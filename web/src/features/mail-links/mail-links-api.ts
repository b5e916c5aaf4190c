import { api } from '../../api/base-api.ts'

const mailLinksApi = api.injectEndpoints({
  endpoints: (build) => ({
    verifyEmail: build.mutation<unknown, string>({
      query: (token) => ({ url: '/api/email/verify', method: 'POST', body: { token } }),
      invalidatesTags: ['User'],
    }),
    resendVerification: build.mutation<unknown, void>({
      query: () => ({ url: '/api/email/resend-verification', method: 'POST' }),
    }),
    requestPasswordReset: build.mutation<unknown, string>({
      query: (email) => ({ url: '/api/password/request-reset', method: 'POST', body: { email } }),
    }),
    resetPassword: build.mutation<unknown, { token: string; newPassword: string }>({
      query: (body) => ({ url: '/api/password/reset', method: 'POST', body }),
    }),
  }),
})

export const {
  useVerifyEmailMutation,
  useResendVerificationMutation,
  useRequestPasswordResetMutation,
  useResetPasswordMutation,
} = mailLinksApi
