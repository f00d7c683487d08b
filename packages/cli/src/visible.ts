/** Characters that a terminal obeys, and those that change the direction of a text. */
const unseen = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
const escape = String.fromCodePoint(27)
/** Colours, as `style` writes them. */
const colours = new RegExp(`(${escape}\\[[\\d;]*m)`)

const written = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A name from elsewhere, with what a terminal would obey written out. */
export function visible(name: string): string {
  return name.replaceAll(unseen, written)
}

/** A line as a terminal may get it: of what it would obey, colours, ends of lines and tabs are left. */
export function printable(line: string): string {
  return line
    .split(colours)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(unseen, keepBlank)))
    .join('')
}

const keepBlank = (character: string): string =>
  character === '\n' || character === '\t' ? character : written(character)
