/** Statements that are longer are written in several lines. */
const longest = 100

/** Names and texts in quotes, which hold no brackets of the statement. Backslashes make it too hard to tell. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|[(),]|[^'"`(),]+/g

const depthOf: Readonly<Record<string, number>> = { '(': 1, ')': -1 }

/**
 * The lines of a long `create table`, one for each column, or of a long trigger. Others, and those with backslashes or ends of lines,
 * are one line. Joined by ends of lines they are the same statement.
 */
export function splitStatement(statement: string): readonly string[] {
  if (statement.length <= longest || /[\\\n\r]/.test(statement)) return [statement]
  const split = splitters.find(([kind]) => kind.test(statement))?.[1]
  const tokens = Array.from(statement.matchAll(token), ([text]) => text)
  return split === undefined || tokens.join('') !== statement ? [statement] : split(tokens).join('\n').split('\n')
}

const splitters: readonly (readonly [RegExp, (tokens: readonly string[]) => readonly string[]])[] = [
  [/^create table /i, splitColumns],
  [/^create (?:or replace )?(?:function|trigger) /i, wrapAtCommas]
]

/** Lines that end at a comma and are about as long as they may be. The body of a function is a text, whose lines are wrapped as well. */
function wrapAtCommas(tokens: readonly string[]): readonly string[] {
  const lines: string[] = ['']
  for (const text of tokens) {
    const line = (lines.pop() ?? '') + (text.length > longest ? wrapBody(text) : text)
    lines.push(...(text === ',' && line.length > longest ? [line, '  '] : [line]))
  }
  return lines.map((line) => (line.startsWith('  ') ? `  ${line.trim()}` : line.trimEnd()))
}

function wrapBody(text: string): string {
  if (!text.startsWith("'")) return text
  const body = text.slice(1, -1).replaceAll("''", "'")
  const lines = wrapAtCommas(Array.from(body.matchAll(token), ([part]) => part))
  return `'\n  ${lines.join('\n').replaceAll("'", "''")}'`
}

function splitColumns(tokens: readonly string[]): readonly string[] {
  const lines: string[] = ['']
  let depth = 0
  for (const text of tokens) {
    const isOpening = text === '(' && depth === 0
    const isClosing = text === ')' && depth === 1
    depth += depthOf[text] ?? 0
    if (isClosing) lines.push(text)
    else lines.push((lines.pop() ?? '') + text)
    if (isOpening || (text === ',' && depth === 1)) lines.push('  ')
  }
  return lines.map((line) => (line.startsWith('  ') ? `  ${line.trim()}` : line.trimEnd()))
}
