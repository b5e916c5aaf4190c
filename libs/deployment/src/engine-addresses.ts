/** The addresses of the engines, as plain data that can be passed to another process. */
export interface EngineAddresses {
  mongoAdminUrl: string
  kafkaBrokers: string
  redisUrl: string
  smtpUrl: string
  inboxUrl: string
}
