import { allOperations, type Collection, type Connector, type ConnectorCapabilities } from '@modelwire/core/connector'
import { ConnectorMissing } from '../errors.ts'

/** Stands for a connector that is not installed: what its data source has cannot be reached, and everything else can. */
export class AbsentConnector implements Connector {
  readonly name: string
  readonly capabilities: ConnectorCapabilities = {
    operations: allOperations,
    generatedIdType: 'declared',
    storesUndeclared: true,
    transactions: false
  }
  /** Scripts find none. */
  readonly scriptConnector: undefined = undefined
  readonly #advice: string

  /** @param advice which package to install */
  constructor(name: string, advice: string) {
    this.name = name
    this.#advice = advice
  }

  /** @throws {ConnectorMissing} (each of its methods) */
  collection(): Collection {
    const fail = async (): Promise<never> => this.#fail()
    return {
      find: fail,
      findById: fail,
      count: fail,
      insert: fail,
      update: fail,
      upsert: fail,
      replace: fail,
      delete: fail
    }
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  /** @throws {ConnectorMissing} */
  async ping(): Promise<void> {
    this.#fail()
  }

  /** @throws {ConnectorMissing} */
  async migrate(): Promise<never> {
    return this.#fail()
  }

  /** @throws {ConnectorMissing} */
  async transaction(): Promise<never> {
    return this.#fail()
  }

  /** @throws {ConnectorMissing} */
  async beginTransaction(): Promise<never> {
    return this.#fail()
  }

  #fail(): never {
    throw new ConnectorMissing(`the connector "${this.name}" is not installed: ${this.#advice}`)
  }
}
