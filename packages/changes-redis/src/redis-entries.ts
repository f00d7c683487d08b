import { readPlace, type StreamEntry, writePlace } from '@modelwire/changes'

/** An entry as Redis gives it: its id, and fields and values in turn. */
export type RawEntry = readonly [string, readonly string[]]

/** The arguments that write an entry: its id, how many there are, fields and values. */
export function writeEntry({ place, texts, row }: StreamEntry): string[] {
  const fields = Object.entries({ ...texts, ...(row !== undefined && { row }) }).flat()
  return [writePlace(place), String(fields.length), ...fields]
}

/** The entry of what Redis gives. */
export function readEntry([id, values]: RawEntry): StreamEntry {
  const fields = new Map<string, string>()
  for (let at = 0; at + 1 < values.length; at += 2) fields.set(values[at] ?? '', values[at + 1] ?? '')
  const text = (name: string): string => fields.get(name) ?? ''
  return {
    place: readPlace(id) ?? [0, 0],
    texts: {
      log: text('log'),
      version: text('version'),
      position: text('position'),
      previous: text('previous'),
      kind: text('kind'),
      model: text('model'),
      at: text('at')
    },
    row: fields.get('row')
  }
}
