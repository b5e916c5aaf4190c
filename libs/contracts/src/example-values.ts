/**
 * The examples of routes consist of these values. A test that calls a route by its example replaces them by values of
 * a registered person or an existing conversation.
 */
export const exampleValues = {
  conversationId: '0d9a3c5e-7b1f-4e62-9c84-5f2a6b8d1e03',
  clientMessageId: '5e8a1c3d-9f27-4b60-a4d8-7c3e2b1f0d96',
  actId: '3d6f9b12-8c47-4e05-b1a9-2f7d5c8e4036',
  sessionId: '4c7d1e90-2a6b-4f38-b5d2-8e1f0a9c3b47',
  userId: '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b',
  objectKey: 'pQ7rT2vX9zB4dF6hJ8kM1nP3',
  uploadId: 'tR5wY8uA2cE6gH9jK3mN7qS4',
  paymentId: 'b3f1a2d4-6c58-4e07-9a1b-7d2e5f8c0a64',
  reportId: '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b.2026-11-24.1',
  upgradeCode: 'F3K9-QW2M-7ZTB-4XHD',
  userCode: '7KQ2-M9XD-3',
  username: 'newcomer',
  fullName: 'New Comer',
  email: 'newcomer@example.com',
  phone: '+15550000000',
  phoneCode: '000000',
  password: 'an example password',
  numericPassword: '135790',
  shareSecretId: 'a1b2c3d4',
  publicPoint: 'BIaeXZ9wiLAW37MlNimItc2TvSCYu5tnmHZVn6FR6ZVODgh_5e1xrABldSLnSksxEN9mszcr4yecdlzQJiBAYXo',
  box: 'e5z7Xnw4mSpXncqPJfQyLQVMw72gfDIYJdqoKK1nCdJO01ckIC5tWZy35gNNSGSeww_folPcVOxGd7x-XtdbPoQe41anZdnRnSExPhID0eLBA1qmMkX3wtZsTARXSuJWxJVoQoNEg07D7ZTZfY4v18CH6WgE3-NQWob0a-QeBImPugyF-xl6VK4EyKxr_LH08s1g01q5Vv0YeUfeFSihnKWuogILzw',
  knownKeyName: 'ommbcVXJFwbcVOOIkNmi2iTwrJeuHFGMlcs3GifWBb4',
  knownKeyBox: 'FAJsAgkaP-I0C0mE_33ZYtOWp-LoDLL7WErLN21iQhDcA2MXZNk4BUChBt1779MOBMms53dqdyiPCUsrFfbhMA',
  token: 'the token of a mail, 43 characters in base64',
} as const

export type ExampleValues = Readonly<Record<keyof typeof exampleValues, string>>
