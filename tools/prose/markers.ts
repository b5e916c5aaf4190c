/** Each marker is a sign that a comment has to be read twice. */
export type Marker =
  'free clause' | 'dangling preposition' | 'program that knows' | 'that of' | 'meanwhile, beside' | 'so many'

const patterns: Readonly<Record<Marker, RegExp>> = {
  'free clause':
    /(?:^|[.!?] )(?:What|Who|Whose|Whom|How|Which|Whoever|Whatever|Until when)\b[^,.!?:;]*(?=[,.!?:;]|$)/g,
  'dangling preposition':
    /^(?:Of|By|For|From|In|On|At|As|With|Without|Behind|Below|Beside|Between|Before|After|Also|Until|Under|Over|To)\b[^.!?]*/g,
  'program that knows':
    /\b(?:knows?|knew|learns?|learnt|learned|tells?|told|asks?|asked|hears?|heard|says?|said)\b/gi,
  'that of': /\b(?:that of|those of|those that|those who|the one before|of those)\b/gi,
  'meanwhile, beside': /\b(?:meanwhile|beside)\b/gi,
  'so many': /\bso (?:many|long|much)\b(?! (?:as|that)\b)/gi,
}

/** The verbs of knowing and speaking are allowed if the comment is about people. */
const people =
  /\b(?:person|people|owner|buyer|reader|reporter|user|member|stranger|operator|administrator|admin|somebody|someone|nobody|anybody|everybody|partner|you|we)\b/i

/** A sentence that begins with a preposition is complete if it contains a comma or one of these verbs. */
const hasMainClause =
  /,|\b(?:is|are|was|were|has|have|had|does|do|did|can|may|must|will|would|should|could|gets?|sets?|tries|makes?|counts?|covers?|checks?|finds?|decides?)\b/

/** Returns the markers in the text of a comment, one for each place. */
export function markersIn(text: string): Marker[] {
  const plain = text.replace(/`[^`]*`|"[^"]*"/g, 'x')
  const count = (marker: Marker): number => {
    const places = plain.match(patterns[marker]) ?? []
    if (marker === 'dangling preposition') return places.filter((place) => !hasMainClause.test(place)).length
    return marker === 'program that knows' && people.test(plain) ? 0 : places.length
  }
  return (Object.keys(patterns) as Marker[]).flatMap((marker) => Array<Marker>(count(marker)).fill(marker))
}
