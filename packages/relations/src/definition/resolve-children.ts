import type { Relation } from '../relation.ts'
import { camelName } from './camel-name.ts'
import { defineKey, keyFor } from './define-key.ts'
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
  const key = keyFor(from, keyFrom)
  defineKey(to, keyTo, polymorphic === undefined ? key : { type: polymorphic.idType ?? key.type })
  if (polymorphic !== undefined) defineKey(to, polymorphic.discriminator, { type: 'string' })
  const discriminator = polymorphic && { property: polymorphic.discriminator, value: from.name }
  return { name, kind, from, to, keyFrom, keyTo, discriminator, settings }
}
