/** The contracts' name of a topic, from its name in Kafka. */
export const withoutNamespace = (topic: string, namespace: string): string =>
  topic.slice(namespace.length + 1)
