import {
  type Collection,
  type Connector,
  type ConnectorCapabilities,
  noDataAccess,
  noRecords
} from '@modelwire/core/connector'
import type { ModelType } from '@modelwire/core/plugin'
import { addSending } from './add-sending.ts'
import type { NodemailerModule, Transporter } from './load-nodemailer.ts'
import { checkTransport, type PlacedSettings, readTransports } from './mail-settings.ts'
import { makeTransport, type TransportParts } from './make-transport.ts'

/**
 * Sends mail by nodemailer. It holds no records: models that are attached to it have `send`, and no data access.
 * @see LoopBack 3: loopback, lib/connectors/mail.js
 */
export class MailConnector implements Connector {
  readonly name = 'mail'
  readonly capabilities: ConnectorCapabilities = noDataAccess
  readonly transports: Transporter[] = []
  /** By alias, else by type. */
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
   * Sends a message by the transport that its `transport` names, else by the first one. Without any transport it is not
   * sent and comes back as it is. Every message that was not sent is logged.
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
    return noRecords
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {
    for (const transport of this.transports) transport.close()
  }

  /** Resolves when every server of mail lets us in. */
  async ping(): Promise<void> {
    const checked = this.transports.filter(({ transporter }) => typeof transporter.verify === 'function')
    await Promise.all(checked.map((transport) => transport.verify()))
  }
}
