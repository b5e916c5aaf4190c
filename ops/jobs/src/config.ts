import { readTopicSettings } from '@sumlock/service-kit/topic-settings'

/** A required setting of a job. Throws a sentence with its name when it is missing. */
export function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`This job needs ${name} in its environment.`)
  return value
}

/** The settings of the job that creates the topics. */
export const topicSettings = () => readTopicSettings(process.env)
