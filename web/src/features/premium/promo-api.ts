import type { NativePlatform } from '../device/platform.ts'
import { api } from '../../api/base-api.ts'
import type { Plan } from './premium-api.ts'

export interface Redemption {
  id: string
  platform: NativePlatform
  promoCode: string
  status: 'pending' | 'success' | 'failed'
  errorMessage: string | null
  createdAt: string
}
export interface MobileSubscription {
  isActive: boolean
  subscription: {
    platform: NativePlatform
    productId: string
    expiryDate: string
    autoRenewing: boolean
  } | null
}
/** The app sends this after a purchase. The store defines the fields. */
export type StorePurchase =
  | { platform: 'ios'; receiptData: string; transactionId: string; productId: string }
  | { platform: 'android'; packageName: string; productId: string; purchaseToken: string }

const promoApi = api
  .enhanceEndpoints({ addTagTypes: ['Timeline', 'Redemptions', 'MobileSubscription'] })
  .injectEndpoints({
    endpoints: (build) => ({
      listRedemptions: build.query<Redemption[], void>({
        query: () => ({ url: '/api/promo-code/history' }),
        transformResponse: ({ redemptions }: { redemptions: Redemption[] }) => redemptions,
        providesTags: ['Redemptions'],
        // The cache does not keep the redemptions, because nothing may be left to show after a lock.
        keepUnusedDataFor: 0,
      }),
      getMobileSubscription: build.query<MobileSubscription, void>({
        query: () => ({ url: '/api/mobile-subscription/status' }),
        providesTags: ['MobileSubscription'],
        keepUnusedDataFor: 0,
      }),
      logRedemption: build.mutation<Redemption, { platform: NativePlatform; promoCode: string }>({
        query: (body) => ({ url: '/api/promo-code/log-redemption', method: 'POST', body }),
        invalidatesTags: ['Redemptions'],
      }),
      generatePromoUrl: build.mutation<
        { url: string },
        { platform: NativePlatform; promoCode: string; appId?: string }
      >({
        query: (body) => ({ url: '/api/promo-code/generate-url', method: 'POST', body }),
        invalidatesTags: ['MobileSubscription', 'User'],
      }),
      validatePurchase: build.mutation<Plan, StorePurchase>({
        query: ({ platform, ...body }) => ({
          url: `/api/mobile-subscription/validate-${platform}`,
          method: 'POST',
          body,
        }),
        invalidatesTags: ['User', 'Timeline', 'MobileSubscription', 'Redemptions'],
      }),
    }),
  })

export const {
  useListRedemptionsQuery,
  useGetMobileSubscriptionQuery,
  useLogRedemptionMutation,
  useGeneratePromoUrlMutation,
  useValidatePurchaseMutation,
} = promoApi
