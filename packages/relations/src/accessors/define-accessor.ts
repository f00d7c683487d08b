import type { Model } from '@modelwire/core'
import { InvalidRelation, type ResolvedRelation } from '@modelwire/core/plugin'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import type { AccessorMethod, AccessorStyle } from './accessor-style.ts'
import { toManyAccessor } from './to-many-accessor.ts'
import { toOneAccessor } from './to-one-accessor.ts'

/** What a relation's own methods find in `this`, as in LoopBack. */
export interface RelationSelf {
  readonly definition: ResolvedRelation
  readonly modelInstance: Model
}

function ownMethods(relation: ResolvedRelation, modelInstance: Model): Record<string, AccessorMethod> {
  const self: RelationSelf = { definition: relation, modelInstance }
  const functions = Object.entries(relation.settings.methods).filter(
    (entry): entry is [string, AccessorMethod] => typeof entry[1] === 'function'
  )
  return Object.fromEntries(functions.map(([name, method]) => [name, (...args) => method.apply(self, args)]))
}

function makeAccessor(relation: ResolvedRelation, parent: Model, style: AccessorStyle): AccessorMethod {
  const kind = behaviourOf(relation)
  const helper = kind.many
    ? toManyAccessor(relation, parent, kind.methods, style)
    : toOneAccessor(relation, parent, kind.methods, style)
  return Object.assign(helper, ownMethods(relation, parent))
}

/** False where a property has the name. LB3: both may be there, and the property is what records show. */
function hasFreeName({ from, name }: ResolvedRelation): boolean {
  const { registry, byName } = from
  const place = { model: from.name, key: `relations.${name}` }
  if (name in registry.rootClass.prototype)
    throw new InvalidRelation(`a relation must not be called like the method ${name} of every record`, place)
  if (!byName.has(name)) return true
  if (registry.rules.propertyHidesRelation) return false
  throw new InvalidRelation('a property has this name', place)
}

/**
 * Gives the records of a model the helper of a relation: a function under its name, with methods.
 * @throws {InvalidRelation} the name is taken
 */
export function defineAccessor(relation: ResolvedRelation, style: AccessorStyle): void {
  if (!hasFreeName(relation)) return
  Object.defineProperty(relation.from.modelClass.prototype, relation.name, {
    configurable: true,
    get(this: Model) {
      return makeAccessor(relation, this, style)
    },
    // Old rows may hold a value under this name: it is not part of the record.
    set: () => {}
  })
}
