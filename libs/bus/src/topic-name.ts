/** Returns the contracts' name of a topic for its name in Kafka. */
export const withoutNamespace = (topic: string, namespace: string): string =>
  topic.slice(namespace.length + 1)
