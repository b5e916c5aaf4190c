import {
  commonEnv,
  contactAddress,
  hexKey,
  jsonEnv,
  loadConfig,
  replicaUrls,
} from '@sumlock/service-kit/config'
import { kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { z } from 'zod'

const providersOwn = /^https:\/\/api(\.[a-z0-9-]+){0,2}\.twilio\.com$/
const accountSettings = ['SMS_FROM', 'TWILIO_ACCOUNT_SID', 'TWILIO_API_KEY', 'TWILIO_API_SECRET'] as const

const schema = commonEnv
  .extend({
    MONGO_URL: z.string().startsWith('mongodb'),
    ...kafkaEnv,
    AUTH_INTERNAL_URL: replicaUrls,
    /**
     * Notices are sealed with these keys, listed by id. Each sender has its present key and, during a rotation, its previous
     * one.
     */
    NOTICE_KEYS: jsonEnv(z.record(z.string(), hexKey)),
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp(s) URL' }),
    /** The mail about a changed e-mail address names this address, because its reader may not have made the change. */
    CONTACT_SUPPORT: contactAddress('support'),
    MAIL_FROM: z.string().default('Calculator <no-reply@calculator.local>'),
    /** With `inbox`, an SMS is sent as a mail to `<phone>@sms.local`; with `twilio`, Twilio sends it. */
    SMS_VIA: z.enum(['inbox', 'twilio']),
    /** Twilio sends from this number (E.164) or by the messaging service with this id (`MG…`). */
    SMS_FROM: z
      .string()
      .regex(/^(\+\d{8,15}|MG[0-9a-f]{32})$/)
      .optional(),
    TWILIO_URL: z.url({ protocol: /^https?$/ }).default('https://api.twilio.com'),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/)
      .optional(),
    TWILIO_API_KEY: z
      .string()
      .regex(/^SK[0-9a-f]{32}$/)
      .optional(),
    TWILIO_API_SECRET: z.string().min(1).optional(),
  })
  .superRefine((env, issues) => {
    const isProduction = env.SUMLOCK_MODE === 'production'
    const fault = (name: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [name], message })
    if (new URL(env.SMTP_URL).search !== '')
      fault('SMTP_URL', 'must have no options: they could turn off the TLS that this service requires')
    if (isProduction && new URL(env.SMTP_URL).hostname === 'inbox')
      fault('SMTP_URL', 'must not be the inbox in production: its page shows every link to anyone')
    if (env.SMS_VIA === 'inbox') {
      if (isProduction) fault('SMS_VIA', 'must not be inbox in production: no phone would receive its code')
      return
    }
    for (const name of accountSettings) if (!env[name]) fault(name, 'is needed with SMS_VIA=twilio')
    if (isProduction && !providersOwn.test(env.TWILIO_URL))
      fault('TWILIO_URL', 'must be the https address of Twilio in production')
  })

/** Mails are sent without TLS only outside of production or on an accepted network, and never with a password. */
export const needsTls = ({ SMTP_URL, SUMLOCK_MODE, INSECURE_NETWORK }: Config): boolean =>
  new URL(SMTP_URL).password !== '' || (SUMLOCK_MODE === 'production' && INSECURE_NETWORK !== 'accepted')

/** Reads and checks the environment; throws a ConfigError that names every fault. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(schema, env)
export type Config = ReturnType<typeof readConfig>
