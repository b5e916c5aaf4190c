/** Every answer is a refusal: wrong (403), or too many at once (429). */
export function expectAllRefused(answers: readonly { status: number }[]): void {
  const statuses = [...new Set(answers.map(({ status }) => status))]
  expect(statuses.filter((status) => ![403, 429].includes(status))).toEqual([])
}
