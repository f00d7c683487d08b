import { allOperations } from '@modelwire/core/connector'
import type {
  Collection,
  Connector,
  ConnectorCapabilities,
  MigrationPlan,
  ModelType,
  Row
} from '@modelwire/core/connector'
import { createIdGenerator } from './generate-id.ts'
import type { GenerateId } from './generate-id.ts'

/** A connector that stores nothing: records are valid and have ids, but are never found. */
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
  const withId = (row: Row): Row => {
    const id = model.idProperty
    if (id === undefined || !id.generated || (row[id.name] ?? null) !== null) return row
    return { ...row, [id.name]: generateId() }
  }
  return {
    find: async () => [],
    findById: async () => undefined,
    count: async () => 0,
    insert: async (rows) => rows.map(withId),
    update: async () => 0,
    upsert: async (row) => ({ row: withId(row), created: true }),
    replace: async () => false,
    delete: async () => 0
  }
}
