import type { RelationKeys } from '../contract/resolved-relation.ts'
import { camelName } from './camel-name.ts'
import { defineKey, definePolymorphicKey, ownKeyFor } from './define-key.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { idNameOf } from './id-name.ts'
import { polymorphicKey } from './polymorphic.ts'

/** A relation whose key lies in the related records: hasMany and hasOne. */
export function resolveChildren(draft: Draft): RelationKeys {
  const { from, definition } = draft
  const to = findTarget(draft)
  const polymorphic = polymorphicKey(draft)
  const keyFrom = definition.primaryKey ?? idNameOf(from)
  const keyTo = polymorphic?.foreignKey ?? definition.foreignKey ?? `${camelName(from.name)}Id`
  const key = ownKeyFor(from, keyFrom)
  if (polymorphic === undefined) defineKey(to, keyTo, key)
  else definePolymorphicKey(to, { ...polymorphic, idType: polymorphic.idType ?? key.type })
  const discriminator = polymorphic && { property: polymorphic.discriminator, value: from.name }
  return { to, keyFrom, keyTo, discriminator }
}
