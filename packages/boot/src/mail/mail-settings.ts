import { isPlainObject } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ConfigValueInvalid } from '../errors.ts'

const Port = Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.String({ pattern: '^\\d+$' })])
const Part = Type.Object({})

/** One way of sending. Keys that are not here are passed to nodemailer as they are. */
const TransportSettingsSchema = Type.Object({
  type: Type.Optional(Type.String({ description: 'smtp, stub, sendmail, or the middle of nodemailer-TYPE-transport' })),
  alias: Type.Optional(Type.String({ description: 'the name by which messages choose it; its type when absent' })),
  host: Type.Optional(Type.String()),
  port: Type.Optional(Port),
  auth: Type.Optional(Part),
  tls: Type.Optional(Part)
})

/** Settings of one transport. */
export type TransportSettings = Static<typeof TransportSettingsSchema> & Readonly<Record<string, unknown>>

/** Where a data source is configured. */
export interface SettingsPlace {
  readonly file: string
  readonly key: string
}

/** Settings of a transport and where they stand. */
export interface PlacedSettings {
  readonly settings: unknown
  readonly place: SettingsPlace
}

/**
 * The transports of a data source: the list `transports`, else the single one in `transport`.
 * @throws {ConfigValueInvalid} `transports` is not a list
 * @see LoopBack 3: loopback, lib/connectors/mail.js
 */
export function readTransports(
  { transports, transport }: Readonly<Record<string, unknown>>,
  { file, key }: SettingsPlace
): readonly PlacedSettings[] {
  const placed = (settings: unknown, below: string): PlacedSettings => ({
    settings,
    place: { file, key: `${key}.${below}` }
  })
  if (Array.isArray(transports))
    return transports.map((item: unknown, index) => placed(item, `transports.${String(index)}`))
  if (transports !== undefined && transports !== null)
    throw new ConfigValueInvalid('the transports of a mail data source are a list', { file, key: `${key}.transports` })
  return transport === undefined || transport === null ? [] : [placed(transport, 'transport')]
}

/**
 * Settings of one transport, checked; null counts as absent.
 * @throws {ConfigValueInvalid} they are malformed
 */
export function checkTransport(input: unknown, { file, key }: SettingsPlace): TransportSettings {
  if (!isPlainObject(input)) throw new ConfigValueInvalid('a transport is an object', { file, key })
  const settings = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
  const problem = Value.Errors(TransportSettingsSchema, settings).First()
  if (problem === undefined) return settings
  throw new ConfigValueInvalid(problem.message.toLowerCase(), { file, key: key + problem.path.replaceAll('/', '.') })
}
