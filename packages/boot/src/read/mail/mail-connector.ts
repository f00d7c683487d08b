import { type Collection, type Connector, noRecords, type ModelType } from '@modelwire/core/connector'
import { addSending } from '@modelwire/loopback/api'
import {
  checkTransport,
  type MailLog,
  type NodemailerModule,
  type PlacedSettings,
  readTransports,
  type SettingsPlace,
  type Transporter,
  type TransportSettings
} from './mail-settings.ts'
import { isFunction, resolveFrom } from '@modelwire/loopback/express'
import type { AppFolder } from '../files/app-folder.ts'
import { UnknownMailTransport } from '../../errors.ts'
import { createRequire } from 'node:module'
import type { Transport } from 'nodemailer'

/** The result of sending with a stub. */
interface StubResult {
  readonly envelope: unknown
  readonly messageId: string
  readonly response: Buffer
}

type Send = Transport<StubResult>['send']

/** The context for creating a transport. */
interface TransportParts {
  readonly nodemailer: NodemailerModule
  readonly folder: AppFolder
  readonly log: MailLog
  readonly place: SettingsPlace
}

type Make = (parts: TransportParts, settings: TransportSettings) => Transporter

const makers: Readonly<Record<string, Make>> = {
  smtp: ({ nodemailer }, settings) => nodemailer.createTransport(settings),
  stub: ({ nodemailer, log }) => nodemailer.createTransport(stubTransport(log)),
  sendmail: ({ nodemailer }, settings) => nodemailer.createTransport({ sendmail: true, ...settings })
}

/**
 * A connector that sends mail with nodemailer. It stores no records: models attached to it have `send`, but no data access.
 * @see LoopBack 3: loopback, lib/connectors/mail.js
 */
export class MailConnector implements Connector {
  readonly name = 'mail'
  readonly capabilities = noRecords.capabilities
  readonly transports: Transporter[] = []
  /** Transports by alias, else by type. */
  readonly transportsIndex: Record<string, Transporter> = Object.create(null) as Record<string, Transporter> // no name is inherited
  readonly mailer: NodemailerModule
  readonly #parts: TransportParts
  readonly #isTold: boolean

  /**
   * @throws {ConfigValueInvalid} the settings are malformed
   * @throws {UnknownMailTransport} there is no such transport
   */
  constructor(settings: Readonly<Record<string, unknown>>, parts: TransportParts) {
    this.mailer = parts.nodemailer
    this.#parts = parts
    this.#isTold = settings['debug'] === true
    for (const placed of readTransports(settings, parts.place)) this.#add(placed)
  }

  /**
   * Adds a transport.
   * @throws {ConfigValueInvalid} its settings are malformed
   * @throws {UnknownMailTransport} nothing sends in this way
   */
  setupTransport(settings: unknown): void {
    this.#add({ settings, place: this.#parts.place })
  }

  #add({ settings: input, place }: PlacedSettings): void {
    const settings = checkTransport(input, place)
    const transport = makeTransport({ ...this.#parts, place }, settings)
    this.transportsIndex[settings.alias ?? settings.type ?? 'stub'] = transport
    this.transports.push(transport)
  }

  /** The transport of this alias or type. */
  transportForName(name: string): Transporter | undefined {
    return this.transportsIndex[name]
  }

  /** The first transport. */
  defaultTransport(): Transporter | undefined {
    return this.transports[0]
  }

  /**
   * Sends a message with the transport that its `transport` names, else with the first one. Without any transport it is
   * returned unsent. Every message that was not sent is logged.
   * @throws what the transport fails with
   */
  async send(message: Readonly<Record<string, unknown>>): Promise<unknown> {
    const transport = this.transportForName(String(message['transport'])) ?? this.defaultTransport()
    const { log } = this.#parts
    if (this.#isTold) log.info({ message }, 'sending mail')
    if (transport === undefined) {
      log.warn(`a message was not sent: ${this.#parts.place.key} has no transport`)
      return message
    }
    try {
      return await transport.sendMail(message)
    } catch (error) {
      log.warn({ err: error }, `a message was not sent: ${this.#parts.place.key}`)
      throw error
    }
  }

  collection(model: ModelType): Collection {
    addSending(model.modelClass, this)
    return noRecords.collection(model)
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {
    for (const transport of this.transports) transport.close()
  }

  /** Resolves when all mail servers accept the connection and login. */
  async ping(): Promise<void> {
    const checked = this.transports.filter(({ transporter }) => typeof transporter.verify === 'function')
    await Promise.all(checked.map((transport) => transport.verify()))
  }
}

/**
 * Makes a transport of the kind that its settings name, a stub when they name none. What is not known here is the package
 * `nodemailer-TYPE-transport` of the application.
 * @throws {UnknownMailTransport} there is no such package
 * @see LoopBack 3: loopback, lib/connectors/mail.js, setupTransport
 */
function makeTransport(parts: TransportParts, settings: TransportSettings): Transporter {
  const type = (settings.type ?? 'stub').toLowerCase()
  const make = Object.hasOwn(makers, type) ? makers[type] : undefined
  return make === undefined ? fromPackage(parts, type, settings) : make(parts, settings)
}

function fromPackage({ nodemailer, folder, place }: TransportParts, type: string, settings: object): Transporter {
  const name = `nodemailer-${type}-transport`
  const factory = requireFrom([folder.serverDir, folder.root], name)
  if (isFunction(factory)) return nodemailer.createTransport(factory(settings) as object) // the package makes transports
  throw new UnknownMailTransport(`mail is sent by smtp, sendmail or stub; for "${type}" install ${name}`, {
    file: place.file,
    key: `${place.key}.type`
  })
}

/** What a package of the application exports; undefined when it is not installed, or named like a path. */
function requireFrom(folders: readonly string[], name: string): unknown {
  const path = /^[\w.-]+$/.test(name) ? resolveFrom(folders, name) : undefined
  return path === undefined ? undefined : createRequire(path)(path)
}

/**
 * A transport that sends nothing: it logs, and calls back with the finished message as `response`.
 * @see nodemailer-stub-transport, which LoopBack 3 brings
 */
function stubTransport(log: MailLog): Transport<StubResult> {
  const send: Send = ({ message }, callback) => {
    const [envelope, messageId] = [message.getEnvelope(), message.messageId()]
    message.build((error, response) => {
      if (error) return callback(error)
      log.info({ envelope, messageId, message: String(response) }, 'a message was not sent: its transport is a stub')
      return callback(null, { envelope, messageId, response })
    })
  }
  return { name: 'stub', version: '1', send }
}
