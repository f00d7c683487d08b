/** Statements that are longer are written in several lines. */
const longest = 100

/** Names and texts in quotes, which hold no brackets of the statement. Backslashes make it too hard to tell. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|[(),]|[^'"`(),]+/g

const depthOf: Readonly<Record<string, number>> = { '(': 1, ')': -1 }

/**
 * The lines of a long `create table`: one for each column. Others, and those with backslashes or ends of lines, are one line.
 * Joined by ends of lines they are the same statement.
 */
export function splitStatement(statement: string): readonly string[] {
  if (statement.length <= longest || /[\\\n\r]/.test(statement) || !/^create table /i.test(statement))
    return [statement]
  const lines: string[] = ['']
  let depth = 0
  const tokens = Array.from(statement.matchAll(token), ([text]) => text)
  if (tokens.join('') !== statement) return [statement]
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
