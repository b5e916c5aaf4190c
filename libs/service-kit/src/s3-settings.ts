import { z } from 'zod'

const text = z.string().min(1)

/** The settings of a process for its bucket in an S3 store. */
export const s3Env = {
  /** Amazon's own when absent. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  S3_REGION: text.default('us-east-1'),
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
}

export type S3Settings = Readonly<z.output<z.ZodObject<typeof s3Env>>>
