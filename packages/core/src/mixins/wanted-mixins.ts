import type { ModelDefinition } from '../definition/model-definition.ts'
import { UnknownMixin } from '../definition/errors.ts'
import type { ModelConstructor } from '../contract/model-instance.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import type { Rules } from '../rules.ts'
import type { Mixin } from './mixin-table.ts'

/**
 * A model's own mixins with their options, ready to be applied; those of its base work through inheritance.
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
    throw new UnknownMixin(`no mixin is named "${missing}"`, { model, key: `mixins.${missing}`, ...place })
  return wanted.map(
    ([name, options]) =>
      (target) =>
        registered.get(name)?.(target, isPlainObject(options) ? options : {})
  )
}
