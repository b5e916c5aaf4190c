export interface Fact {
  readonly id: string
  /** Sections of the specification that state it; the table files it under the first. */
  readonly sections: readonly number[]
  readonly text: string
  readonly deviation: string | null
}

const header = 'id\tsections\tfact\tdeviation'
const row =
  /^(?<id>[A-Z]{2,}-\d{2,})\t(?<sections>[1-9](?:,[1-9])*)\t(?<text>[^\t]+)(?:\t(?<deviation>D-\d{2,}))?$/

/** Reads the tab-separated facts. Throws a sentence that names the first line that is no fact. */
export function parseFacts(tsv: string): Fact[] {
  const [first, ...lines] = tsv.trimEnd().split('\n')
  if (first !== header)
    throw new Error(`The facts must begin with the line "${header.replaceAll('\t', ' ')}".`)
  return lines.map((line, index) => {
    const { id = '', sections = '', text = '', deviation = null } = row.exec(line)?.groups ?? {}
    if (id === '')
      throw new Error(`Line ${index + 2} of the facts is not "id, sections, fact[, deviation]": ${line}`)
    return { id, sections: sections.split(',').map(Number), text, deviation }
  })
}

/** The ids of the deviations: the first cells of the rows in docs/deviations.md, as often as they stand there. */
export const parseDeviations = (markdown: string): string[] =>
  [...markdown.matchAll(/^\| (D-\d{2,}) \|/gm)].map((match) => match[1] ?? '')
