import { readTopicSettings } from '@sumlock/service-kit/topic-settings'

/** Returns a required setting of a job. Throws an error with its name when it is missing. */
export function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`This job needs ${name} in its environment.`)
  return value
}

export const topicSettings = () => readTopicSettings(process.env)
