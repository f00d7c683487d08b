import { callOf } from '../access/call.ts'
import type { ModelConstructor } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import * as repository from '../repository/index.ts'

type Options = Record<string, unknown>

/**
 * Marks records as deleted instead of removing them, and hides marked ones from every query.
 *
 * Options: `deletedAt`, the name of the date property that marks a record.
 */
export function softDelete(model: ModelConstructor, options: Record<string, unknown>): void {
  const { modelType } = model
  const property = typeof options['deletedAt'] === 'string' ? options['deletedAt'] : 'deletedAt'
  modelType.registry.defineProperty(modelType, property, { type: 'date', index: true, hidden: true })
  modelType.hidden.add(property)
  modelType.queryScopes.push({ where: { [property]: null } })
  const mark = (target: ModelType, where: unknown, callOptions?: Options): Promise<{ count: number }> =>
    repository.updateAll(target, where ?? {}, { [property]: new Date() }, callOf(callOptions))
  Object.assign(model, {
    // Models that extend this one inherit the methods and mark their own records.
    destroyAll(this: ModelConstructor, where?: unknown, callOptions?: Options) {
      return mark(this.modelType, where, callOptions)
    },
    async destroyById(this: ModelConstructor, id: unknown, callOptions?: Options) {
      const key = repository.toId(this.modelType, id)
      return key === undefined ? { count: 0 } : mark(this.modelType, repository.byId(this.modelType, key), callOptions)
    }
  })
}
