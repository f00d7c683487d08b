import type { ModelDefinition, ModelRegistry } from '@modelwire/core'
import { attachModels } from '@modelwire/core/plugin'

/** What is kept of a request with a key. */
export interface KeptAnswer {
  readonly fingerprint: string
  /** Absent while the request is being carried out. */
  readonly status?: number | null
  readonly headers?: Readonly<Record<string, string>> | null
  readonly body?: string | null
  /** The answer held a secret, or was too long: its status alone is kept. */
  readonly withheld?: boolean | null
  readonly expiresAt: Date
}

/** The name of the model that keeps keys with their answers. */
export const keyModelName = 'IdempotencyKey'

/** The id is made of the key and its caller: of requests with one key, one can store it. */
const keyModel: ModelDefinition = {
  name: keyModelName,
  forceId: false,
  properties: {
    id: { type: 'string', id: true, length: 64 },
    fingerprint: { type: 'string', length: 64, required: true },
    status: 'number',
    headers: 'object',
    body: { type: 'string', mysql: { dataType: 'longtext' } },
    withheld: 'boolean',
    expiresAt: { type: 'date', required: true, index: true }
  }
}

/** Defines the model, unless the application has one of this name. @param dataSource where keys are kept; the only one when absent */
export function defineKeyModel(registry: ModelRegistry, dataSource: string | undefined): void {
  if (registry.find(keyModelName) === undefined) registry.define(keyModel)
  attachModels(registry, [keyModelName], dataSource)
}
