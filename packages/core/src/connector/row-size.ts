/**
 * About how many bytes a row takes, with everything in it: for connectors whose database does not report the size of a
 * result. Texts count by their characters, values of a fixed size by the memory that they take.
 */
export function rowSize(row: object): number {
  let size = 0
  // A list in place of calls within calls: what is stored may be nested as deeply as it likes.
  const open: unknown[] = [row]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') size += value.length
    else if (typeof value !== 'object' || value === null) size += plainSize
    else size += openObject(value, open)
  }
  return size
}

/** Of a number, a boolean or an absent value. */
const plainSize = 8

/** Puts what lies within an object on the list, and gives the size of the rest of it. */
function openObject(value: object, open: unknown[]): number {
  if (value instanceof Date) return plainSize
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength
  if (Array.isArray(value)) {
    for (const item of value) open.push(item)
    return plainSize
  }
  let size = plainSize
  for (const [name, part] of Object.entries(value)) {
    size += name.length
    open.push(part)
  }
  return size
}
