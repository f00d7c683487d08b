import type { ModelType } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import { withoutAbsent, type DocumentedRoute } from './documented-routes.ts'

/** The tag of one model in documents. */
export interface Tag {
  readonly name: string
  readonly description?: string
  readonly externalDocs?: { readonly url: string; readonly description?: string }
}

const swaggerSettings = ({ definition }: ModelType): Record<string, unknown> =>
  isPlainObject(definition['swagger']) ? definition['swagger'] : {}

const tagSettings = (model: ModelType): Record<string, unknown> => {
  const { tag } = swaggerSettings(model)
  return isPlainObject(tag) ? tag : {}
}

/** The tag of a model's operations: its name, unless its settings contain a `swagger.tag.name`. */
export function tagName(model: ModelType): string {
  const { name } = tagSettings(model)
  return typeof name === 'string' && name !== '' ? name : model.name
}

function isLink(value: unknown): value is { url: string } {
  return isPlainObject(value) && typeof value['url'] === 'string'
}

/**
 * A tag for every model with shown operations, in the order of the models.
 * @param describe gives the description of a model
 */
export function tagsOf(routes: readonly DocumentedRoute[], describe: (model: ModelType) => string | undefined): Tag[] {
  const models = new Set(routes.map(({ operation }) => operation.model))
  return Array.from(models, (model): Tag => {
    const { externalDocs } = tagSettings(model)
    return {
      name: tagName(model),
      ...withoutAbsent({ description: describe(model) }),
      ...(isLink(externalDocs) ? { externalDocs } : {})
    }
  })
}

/** The example of a record in a model's settings; undefined if there is none. */
export function exampleOf(model: ModelType): unknown {
  return swaggerSettings(model)['example']
}
