import { isPlainObject, problemOf } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { ConfigValueInvalid } from '../../errors.ts'
import type { FastifyBaseLogger } from 'fastify'
import { createRequire } from 'node:module'
import type * as Nodemailer from 'nodemailer'

/** The module `nodemailer`. */
export type NodemailerModule = typeof Nodemailer

/** A nodemailer transporter. */
export interface Transporter {
  /** The transport itself, which may be able to verify its settings. */
  readonly transporter: { readonly verify?: unknown }
  readonly sendMail: (message: object) => Promise<unknown>
  readonly verify: () => Promise<unknown>
  readonly close: () => void
}

/** The log for messages: the server's. */
export type MailLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

const Port = Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.String({ pattern: '^\\d+$' })])
const Part = Type.Object({})

/** One way of sending. Keys that are not here are passed to nodemailer as they are. */
const TransportSettingsSchema = Type.Object({
  type: Type.Optional(Type.String({ description: 'smtp, stub, sendmail, or the TYPE of nodemailer-TYPE-transport' })),
  alias: Type.Optional(
    Type.String({ description: 'name by which messages select the transport; its type by default' })
  ),
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

/** Settings of a transport and their location. */
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
    throw new ConfigValueInvalid('the transports of a mail data source must be a list', {
      file,
      key: `${key}.transports`
    })
  return transport === undefined || transport === null ? [] : [placed(transport, 'transport')]
}

/**
 * Validates the settings of one transport; null counts as absent.
 * @throws {ConfigValueInvalid} they are malformed
 */
export function checkTransport(input: unknown, { file, key }: SettingsPlace): TransportSettings {
  if (!isPlainObject(input)) throw new ConfigValueInvalid('a transport must be an object', { file, key })
  const settings = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
  const problem = problemOf(TransportSettingsSchema, settings)
  if (problem === undefined) return settings
  throw new ConfigValueInvalid(problem.expected, { file, key: `${key}.${problem.key}` })
}

/** The module `nodemailer`, loaded on the first call: most applications send no mail. */
export function loadNodemailer(): NodemailerModule {
  return createRequire(import.meta.url)('nodemailer') as NodemailerModule // a dependency of this package
}
