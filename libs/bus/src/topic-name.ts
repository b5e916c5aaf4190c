/** A topic as the contracts name it, from the name it has at Kafka. */
export const withoutNamespace = (topic: string, namespace: string): string =>
  topic.slice(namespace.length + 1)
