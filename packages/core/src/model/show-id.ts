import type { ModelConstructor, ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'

/** The value of the property that is the id; an object of all of them where there are several. */
function idOf({ modelType }: ModelConstructor, record: Readonly<Record<string, unknown>>): unknown {
  const names = modelType.properties.filter(({ id }) => id).map(({ name }) => name)
  const [name = 'id'] = names
  return names.length > 1 ? Object.fromEntries(names.map((each) => [each, record[each]])) : record[name]
}

/**
 * LB3: records whose id has another name have `id` as well, which reads it; it is not a property, and setting it does
 * nothing.
 * @see LoopBack 3: loopback-datasource-juggler, lib/model-builder.js
 */
export function showId({ registry, idProperty, byName }: ModelType, modelClass: ModelConstructor): void {
  if (!registry.rules.aliasesId || idProperty === undefined || byName.has('id')) return
  Object.defineProperty(modelClass.prototype, 'id', {
    get(this: ModelInstance) {
      return idOf(modelClass, this)
    },
    set(this: ModelInstance, value: unknown) {
      // A model that extends this one may declare the property.
      const own = this.constructor as ModelConstructor // the class of every record
      if (own.modelType.byName.has('id'))
        Object.defineProperty(this, 'id', { value, writable: true, enumerable: true, configurable: true })
    },
    configurable: true,
    enumerable: false
  })
}
