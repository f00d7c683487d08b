import { randomInt } from 'node:crypto'
import {
  allOperations,
  type Collection,
  type Connector,
  type ConnectorCapabilities,
  type MigrationPlan,
  type ModelType,
  type Row
} from '@modelwire/core/connector'
import { createIdGenerator, type GenerateId } from './generate-id.ts'

/** Above the ids that are numbers. LB3: they have at most four digits. */
const highestNumber = 10_000

/** Makes a connector that stores nothing: records are validated and get ids, but are never found. */
export function transient(): Connector {
  return new TransientConnector()
}

class TransientConnector implements Connector {
  readonly name = 'transient'
  readonly capabilities: ConnectorCapabilities = {
    operations: allOperations,
    generatedIdType: 'string',
    ignoresDatesInLists: true,
    storesUndeclared: true,
    transactions: false
  }
  readonly #generateId = createIdGenerator()

  collection(model: ModelType): Collection {
    return createTransientCollection(model, this.#generateId)
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  async ping(): Promise<void> {}

  /** There is nothing to make ready and nothing to remove. */
  async migrate(): Promise<MigrationPlan> {
    return { steps: [], notes: [] }
  }
}

function createTransientCollection(model: ModelType, generateId: GenerateId): Collection {
  // LB3: whether or not it is declared as generated; lib/connectors/transient.js, create.
  const withId = (row: Row): Row => {
    const id = model.idProperty
    if (id === undefined || (row[id.name] ?? null) !== null) return row
    const isNumber = id.type.kind === 'number' || id.type.kind === 'integer'
    return { ...row, [id.name]: isNumber ? randomInt(1, highestNumber) : generateId() }
  }
  return {
    find: async () => [],
    findById: async () => undefined,
    count: async () => 0,
    insert: async (rows) => rows.map(withId),
    update: async () => 0,
    upsert: async (row, defaults) => ({ row: withId({ ...row, ...defaults }), created: true }),
    replace: async () => false,
    delete: async () => 0
  }
}
