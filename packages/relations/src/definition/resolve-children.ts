import type { Relation } from '../relation.ts'
import { camelName } from './camel-name.ts'
import { defineKey, typeOfKey } from './define-key.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { idNameOf } from './id-name.ts'
import { polymorphicKey } from './polymorphic.ts'

/** A relation whose key lies in the related records: hasMany and hasOne. */
export function resolveChildren(draft: Draft): Relation {
  const { name, kind, from, definition, settings } = draft
  const to = findTarget(draft)
  const polymorphic = polymorphicKey(draft)
  const keyFrom = definition.primaryKey ?? idNameOf(from)
  const keyTo = polymorphic?.foreignKey ?? definition.foreignKey ?? `${camelName(from.name)}Id`
  defineKey(to, keyTo, polymorphic?.idType ?? typeOfKey(from, keyFrom))
  if (polymorphic !== undefined) defineKey(to, polymorphic.discriminator, 'string')
  const discriminator = polymorphic && { property: polymorphic.discriminator, value: from.name }
  return { name, kind, from, to, keyFrom, keyTo, discriminator, settings }
}
