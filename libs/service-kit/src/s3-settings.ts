import { z } from 'zod'

const text = z.string().min(1)

/** A process reads the settings of its bucket in an S3 store from these. */
export const s3Env = {
  /** When absent, Amazon's own store is used. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  S3_REGION: text.default('us-east-1'),
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
}

export type S3Settings = Readonly<z.output<z.ZodObject<typeof s3Env>>>
