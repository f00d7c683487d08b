import type { ModelConstructor } from '../contract/model-instance.ts'
import { softDelete } from './soft-delete.ts'
import { timeStamp } from './time-stamp.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'
import { UnknownMixin } from '../definition/errors.ts'
import { isPlainObject } from '@modelwire/server'
import type { Rules } from '../rules.ts'

/**
 * Adds properties, observers or methods to a model. `options` is the value under the mixin's name in the model's
 * definition.
 * @example
 * ```ts
 * import type { Mixin } from '@modelwire/core'
 *
 * const reported: Mixin = (model) => model.observe('after save', () => console.log(`${model.modelName} saved`)) // Note saved
 * app.models.defineMixin('Reported', reported)
 * const Note = app.models.define({ name: 'Note', mixins: { Reported: true } })
 * app.models.attach('Note', 'db')
 * await Note.create({ text: 'Buy milk' })
 * ```
 */
export type Mixin = (model: ModelConstructor, options: Record<string, unknown>) => void

/** Mixins that every registry provides. */
export const builtInMixins: ReadonlyMap<string, Mixin> = new Map([
  ['TimeStamp', timeStamp],
  ['SoftDelete', softDelete]
])

/**
 * A model's own mixins with their options, ready to be applied; those of its base are inherited.
 * @throws {UnknownMixin} one is not known, and the protocol's version does not ignore that
 */
export function wantedMixins(
  { name: model, mixins = {} }: ModelDefinition,
  registered: ReadonlyMap<string, Mixin>,
  rules: Rules,
  place: { file?: string }
): ((target: ModelConstructor) => void)[] {
  const wanted = Object.entries(mixins).filter(([, options]) => options !== false)
  const missing = wanted.find(([name]) => !registered.has(name))?.[0]
  if (missing !== undefined && !rules.ignoresUnknownMixins)
    throw new UnknownMixin(`unknown mixin "${missing}"`, { model, key: `mixins.${missing}`, ...place })
  return wanted.map(
    ([name, options]) =>
      (target) =>
        registered.get(name)?.(target, isPlainObject(options) ? options : {})
  )
}
