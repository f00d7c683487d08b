/**
 * The lines of a text, none of which is longer than `width` unless a word is.
 * @param indent stands before each line but the first
 * @param width undefined: one line
 */
export function wrapText(text: string, indent: string, width: number | undefined): string[] {
  if (width === undefined) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=\S) +/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
