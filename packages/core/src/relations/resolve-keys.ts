import type { RelationKeys } from '../contract/relation.ts'
import { defineKey, definePolymorphicKey, ownKeyFor, typeOfKey } from './define-key.ts'
import { camelName, type Draft, findTarget, keyIn, polymorphicKey, type PolymorphicKey } from './draft.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Rule } from '../rules/rule.ts'
import { keyText } from '../values/same-key.ts'

/** A relation whose key is in the declaring record. */
export function resolveBelongsTo(draft: Draft): RelationKeys {
  const { name, from, definition } = draft
  const polymorphic = polymorphicKey(draft)
  if (polymorphic !== undefined) return resolvePolymorphic(draft, polymorphic)
  const to = findTarget(draft)
  const keyTo = keyIn(draft, to, definition.primaryKey)
  const keyFrom = definition.foreignKey ?? `${name}Id`
  defineKey(from, keyFrom, ownKeyFor(to, keyTo))
  return { to, keyFrom, keyTo }
}

function resolvePolymorphic(draft: Draft, polymorphic: PolymorphicKey): RelationKeys {
  const { from, definition } = draft
  const { foreignKey: keyFrom, discriminator, idType } = polymorphic
  const keyTo = definition.primaryKey ?? (typeof definition['idName'] === 'string' ? definition['idName'] : 'id')
  defineKey(from, keyFrom, { type: idType ?? typeOfKey(from, from.idProperty?.name ?? 'id') })
  defineKey(from, discriminator, { type: 'string' })
  return { to: undefined, keyFrom, keyTo, discriminator: { property: discriminator } }
}

/** A relation whose key is in the related records: hasMany and hasOne. */
export function resolveChildren(draft: Draft): RelationKeys {
  const { from, definition } = draft
  const to = findTarget(draft)
  const polymorphic = polymorphicKey(draft)
  const keyFrom = keyIn(draft, from, definition.primaryKey)
  const keyTo = polymorphic?.foreignKey ?? definition.foreignKey ?? `${camelName(from.name)}Id`
  const key = ownKeyFor(from, keyFrom)
  if (polymorphic === undefined) defineKey(to, keyTo, key)
  else definePolymorphicKey(to, { ...polymorphic, idType: polymorphic.idType ?? key.type })
  const discriminator = polymorphic && { property: polymorphic.discriminator, value: from.name }
  return { to, keyFrom, keyTo, discriminator }
}

/** A record refers to another once at most. @see recording relations/references-many */
function uniqueRule(relation: string, property: string, target: ModelType): Rule {
  return {
    property: relation,
    kind: 'references',
    options: { property },
    sync: true,
    check: ({ record }) => {
      const ids: unknown = record[property]
      if (!Array.isArray(ids) || new Set(ids.map(keyText)).size === ids.length) return []
      return [{ property: relation, code: 'uniqueness', message: `contains duplicate ${target.name} instance` }]
    }
  }
}

/** A relation whose keys are in a list of the declaring record. */
export function resolveReferences(draft: Draft): RelationKeys {
  const { name, from, definition } = draft
  const to = findTarget(draft)
  const keyTo = keyIn(draft, to)
  const keyFrom = definition.foreignKey ?? `${camelName(to.name)}Ids`
  const declared = from.byName.get(keyFrom)?.definition
  // LB3: the list is empty from the start, though the definition declares the property without a default; read by hand.
  if (declared === undefined || !('default' in declared || 'defaultFn' in declared))
    from.registry.defineProperty(from, keyFrom, {
      type: [typeOfKey(to, keyTo)],
      ...declared,
      default: () => []
    })
  from.rules.push(uniqueRule(name, keyFrom, to))
  return { to, keyFrom, keyTo }
}
