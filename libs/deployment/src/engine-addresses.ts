/** The addresses of the engines, as plain data that can be passed to another process. */
export interface EngineAddresses {
  mongoAdminUrl: string
  kafkaBrokers: string
  /** Empty where the brokers have no users. */
  kafkaAdminPassword: string
  /** The administrator's address, as in `mongoAdminUrl`. */
  redisUrl: string
  /** Contains the name and the secret of its user, as in `mongoAdminUrl`. */
  s3Url: string
  smtpUrl: string
  inboxUrl: string
}
