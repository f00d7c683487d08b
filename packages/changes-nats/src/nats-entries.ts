import { readPlace, type StreamEntry, type StreamTexts, writePlace } from '@modelwire/changes'
import type { StoredMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'

/** The header of each text; the message itself is the row. */
const headerNames = {
  log: 'Modelwire-Log',
  version: 'Modelwire-Version',
  position: 'Modelwire-Position',
  previous: 'Modelwire-Previous',
  kind: 'Modelwire-Kind',
  model: 'Modelwire-Model',
  at: 'Modelwire-At'
} as const satisfies Record<keyof StreamTexts, string>
const placeHeader = 'Modelwire-Place'
/** Bytes of headers besides those of names. */
export const headerBytes = 1024

/** The headers of an entry. Names of models are written so that headers can hold them. */
export function headersOf({ place, texts }: StreamEntry): MsgHdrs {
  const made = headers()
  made.set(placeHeader, writePlace(place))
  for (const [text, name] of Object.entries(headerNames))
    made.set(name, encodeURIComponent(texts[text as keyof StreamTexts])) // as it stands in the table
  return made
}

/** The entry of a message. */
export function readEntry(message: StoredMsg): StreamEntry {
  const { header, data } = message
  const text = (name: string): string => decodeURIComponent(header.get(name))
  return {
    place: readPlace(header.get(placeHeader)) ?? [0, 0],
    texts: {
      log: text(headerNames.log),
      version: text(headerNames.version),
      position: text(headerNames.position),
      previous: text(headerNames.previous),
      kind: text(headerNames.kind),
      model: text(headerNames.model),
      at: text(headerNames.at)
    },
    row: data.length === 0 ? undefined : message.string()
  }
}

/** A name as a part of a subject, or of the name of a stream. */
export const tokenOf = (name: string): string => name.replaceAll(/[^\w-]/g, '_') || '_'
