const style = `svg { color-scheme: light dark; font: 13px system-ui, sans-serif; }
.paper { fill: #ffffff; } text { fill: #24292f; } .title { font-size: 15px; font-weight: 600; } .faint { fill: #57606a; }
.grid { stroke: #d0d7de; stroke-width: 1; } .limit { stroke: #57606a; stroke-dasharray: 5 4; fill: none; }
.s0 { --c: #0969da; } .s1 { --c: #bc4c00; } .s2 { --c: #1a7f37; } .s3 { --c: #8250df; }
.line { fill: none; stroke: var(--c); stroke-width: 2; } .dot, .bar { fill: var(--c); }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117; } text { fill: #e6edf3; } .faint { fill: #9da7b3; } .grid { stroke: #30363d; } .limit { stroke: #9da7b3; }
.s0 { --c: #58a6ff; } .s1 { --c: #f0883e; } .s2 { --c: #3fb950; } .s3 { --c: #bc8cff; }
}`

export const escapeXml = (text: string): string =>
  text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** A figure without needless digits. */
export const figure = (value: number): string =>
  value >= 1e4 ? value.toLocaleString('en').replaceAll(',', ' ') : String(Number(value.toPrecision(3)))

/** A picture that reads in light and dark, with a title for those who do not see it. */
export const svgDocument = (width: number, height: number, title: string, content: readonly string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>${style}</style>
<rect class="paper" width="${width}" height="${height}"/>
<text class="title" x="16" y="26">${escapeXml(title)}</text>
${content.join('\n')}
</svg>
`
