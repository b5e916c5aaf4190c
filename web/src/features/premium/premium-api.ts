import { api } from '../../api/base-api.ts'
import { pageOf } from '../../page.ts'

export interface Offer {
  provider: 'sandbox' | 'stripe' | null
  price: string
}
export interface Plan {
  subscriptionType: 'free' | 'premium'
  subscriptionExpiresAt: string | null
}
export interface Checkout {
  paymentId: string
  checkoutUrl: string
}
export interface Gift {
  upgradeCode: string
  recipientEmail: string
}
export interface PaymentState {
  kind: 'upgrade' | 'gift'
  status: 'pending' | 'paid' | 'failed' | 'disputed' | 'refunded'
  gift: Gift | null
}
export interface Timeline {
  premiumUntil: string | null
  segments: {
    source: 'direct' | 'store' | 'gift' | 'code' | 'promo' | 'admin'
    startsAt: string
    endsAt: string
  }[]
  ended: { what: 'upgrade' | 'received-gift' | 'given-gift'; reason: 'refunded' | 'disputed'; at: string }[]
}

const premiumApi = api.enhanceEndpoints({ addTagTypes: ['Timeline'] }).injectEndpoints({
  endpoints: (build) => {
    // A payment may change the limits of conversations, so the list is fetched again.
    const changesPlan = {
      invalidatesTags: ['User' as const, 'Timeline' as const],
      onQueryStarted: async (
        _argument: unknown,
        { queryFulfilled, extra }: { queryFulfilled: Promise<unknown>; extra: unknown },
      ) => {
        await queryFulfilled.then(
          () => pageOf({ extra }).session?.list.mayHaveChanged(),
          () => undefined,
        )
      },
    }
    return {
      getOffer: build.query<Offer, void>({ query: () => ({ url: '/api/subscription/offer' }) }),
      getTimeline: build.query<Timeline, void>({
        query: () => ({ url: '/api/subscription/timeline' }),
        providesTags: ['Timeline'],
        // The cache does not keep the timeline, because nothing may be left to show after a lock.
        keepUnusedDataFor: 0,
      }),
      upgrade: build.mutation<Checkout | Plan, void>({
        query: () => ({ url: '/api/subscription/upgrade', method: 'POST' }),
        ...changesPlan,
      }),
      giftPremium: build.mutation<Checkout | Gift, { recipientEmail: string; giftMessage: string }>({
        query: (body) => ({ url: '/api/subscription/gift', method: 'POST', body }),
      }),
      redeemCode: build.mutation<Plan, { upgradeCode: string }>({
        query: (body) => ({ url: '/api/subscription/redeem', method: 'POST', body }),
        ...changesPlan,
      }),
      /** This is a mutation, because the state is requested again until the payment is settled. */
      readPayment: build.mutation<PaymentState, string>({
        query: (id) => ({ url: `/api/subscription/payments/${encodeURIComponent(id)}` }),
      }),
    }
  },
})

export const {
  useGetOfferQuery,
  useGetTimelineQuery,
  useUpgradeMutation,
  useGiftPremiumMutation,
  useRedeemCodeMutation,
  useReadPaymentMutation,
} = premiumApi
