import type { ChangeKind, ModelType } from '@modelwire/core/plugin'
import { kindNames } from '../endpoints/check-selection.ts'
import type { ShownRecord } from './make-view.ts'

/** The type of the messages about a change, such as `orderItem.created`. @see Standard Webhooks, event types */
export const typeOfMessage = ({ name }: ModelType, kind: ChangeKind): string =>
  `${name.charAt(0).toLowerCase()}${name.slice(1)}.${kindNames[kind]}`

/** What a message says. */
export interface Facts {
  readonly type: string
  readonly at: Date
  readonly data: ShownRecord
}

const write = ({ type, at, data }: Facts): string => JSON.stringify({ type, timestamp: at.toISOString(), data })

/**
 * The text of a message. Of a deletion, and where the record is longer than a message may be, it names the id alone.
 * @param maxPayload bytes
 * @see Standard Webhooks, payload structure
 */
export function writePayload(
  model: ModelType,
  { kind, ...facts }: Facts & { readonly kind: ChangeKind },
  maxPayload: number
): string {
  const idName = model.idProperty?.name ?? 'id'
  const { [idName]: id } = facts.data
  const idAlone = id === undefined ? {} : { [idName]: id }
  if (kind === 'remove') return write({ ...facts, data: idAlone })
  const text = write(facts)
  return Buffer.byteLength(text) <= maxPayload ? text : write({ ...facts, data: idAlone })
}
