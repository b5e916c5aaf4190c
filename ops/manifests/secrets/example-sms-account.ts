/** Stands for the account at the SMS provider, which only production has, in checks of the manifests. */
export const exampleSmsAccount = {
  TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`,
  TWILIO_API_KEY: `SK${'0a'.repeat(16)}`,
  TWILIO_API_SECRET: 'of ours',
}
