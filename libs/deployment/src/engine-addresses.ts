/** Where the engines are: plain data, so that it can travel to another process. */
export interface EngineAddresses {
  mongoAdminUrl: string
  kafkaBrokers: string
  redisUrl: string
  smtpUrl: string
  inboxUrl: string
}
