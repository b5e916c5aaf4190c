/** The addresses of the engines are plain data, so that they can be passed to another process. */
export interface EngineAddresses {
  mongoAdminUrl: string
  kafkaBrokers: string
  /** The value is empty where the brokers have no users. */
  kafkaAdminPassword: string
  /** The URL contains the administrator's password. */
  redisUrl: string
  /** The URL contains the access key id and the secret of the store's user. */
  s3Url: string
  smtpUrl: string
  inboxUrl: string
}
