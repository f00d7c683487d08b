/**
 * Parses a list as the server writes it: `{1,NULL,"a b",{…}}`, with its bounds if they are not the usual ones. Undefined for any
 * other text.
 * @param readItem reads the text of an item that is not null
 * @param separator that of the type: a semicolon for boxes
 */
export function readList(
  text: string,
  readItem: (text: string) => unknown,
  separator = ','
): readonly unknown[] | undefined {
  const start = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  if (text[start] !== '{') return undefined
  const place = { text, at: start }
  return readItems(place, readItem, separator)
}

/** Where the reader is. */
interface Place {
  readonly text: string
  at: number
}

/** Reads the items from an opening brace to behind the closing one. */
function readItems(place: Place, readItem: (text: string) => unknown, separator: string): unknown[] {
  const items: unknown[] = []
  const { text } = place
  place.at++
  while (place.at < text.length && text[place.at] !== '}') {
    const sign = text[place.at]
    if (sign === separator) place.at++
    else if (sign === '{') items.push(readItems(place, readItem, separator))
    else if (sign === '"') items.push(readItem(readQuoted(place)))
    else {
      const word = readWord(place, separator)
      items.push(word === 'NULL' ? null : readItem(word))
    }
  }
  place.at++
  return items
}

function readQuoted(place: Place): string {
  const { text } = place
  let value = ''
  let from = ++place.at
  while (place.at < text.length && text[place.at] !== '"') {
    if (text[place.at] === '\\') {
      value += text.slice(from, place.at)
      from = ++place.at
    }
    place.at++
  }
  value += text.slice(from, place.at)
  place.at++
  return value
}

function readWord(place: Place, separator: string): string {
  const { text } = place
  const from = place.at
  while (place.at < text.length && text[place.at] !== separator && text[place.at] !== '}') place.at++
  return text.slice(from, place.at)
}

/**
 * Writes a list as the server reads it.
 * @param writeItem writes an item that is neither null nor a list
 */
export function writeList(list: readonly unknown[], writeItem: (item: unknown) => string, separator = ','): string {
  const items = list.map((item) => {
    if (item === null || item === undefined) return 'NULL'
    return Array.isArray(item) ? writeList(item, writeItem, separator) : quote(writeItem(item))
  })
  return `{${items.join(separator)}}`
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
