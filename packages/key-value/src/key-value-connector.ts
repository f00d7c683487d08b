import {
  type Collection,
  type Connector,
  type ConnectorCapabilities,
  type ConnectorMethods,
  noDataAccess,
  noRecords
} from '@modelwire/core/connector'
import type { ModelType } from '@modelwire/core/plugin'
import { keyValueMethods } from './key-value-methods.ts'
import type { KeyValueStore } from './store.ts'

/** A data source of keys and values: models that are attached to it have the methods of a key-value model, and no records. */
export abstract class KeyValueConnector implements Connector {
  abstract readonly name: string
  readonly capabilities: ConnectorCapabilities = noDataAccess
  readonly #store: KeyValueStore

  constructor(store: KeyValueStore) {
    this.#store = store
  }

  abstract connect(): Promise<void>
  abstract disconnect(): Promise<void>
  abstract ping(): Promise<void>

  collection(): Collection {
    return noRecords
  }

  methods(model: ModelType): ConnectorMethods {
    return keyValueMethods(this.#store, model)
  }
}
