import type { RelationKeys } from '../contract/resolved-relation.ts'
import { defineKey, ownKeyFor, typeOfKey } from './define-key.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { idNameOf } from './id-name.ts'
import { polymorphicKey, type PolymorphicKey } from './polymorphic.ts'

/** A relation whose key lies in the declaring record. */
export function resolveBelongsTo(draft: Draft): RelationKeys {
  const { name, from, definition } = draft
  const polymorphic = polymorphicKey(draft)
  if (polymorphic !== undefined) return resolvePolymorphic(draft, polymorphic)
  const to = findTarget(draft)
  const keyTo = definition.primaryKey ?? idNameOf(to)
  const keyFrom = definition.foreignKey ?? `${name}Id`
  defineKey(from, keyFrom, ownKeyFor(to, keyTo))
  return { to, keyFrom, keyTo }
}

function resolvePolymorphic(draft: Draft, polymorphic: PolymorphicKey): RelationKeys {
  const { from, definition } = draft
  const { foreignKey: keyFrom, discriminator, idType } = polymorphic
  const keyTo = definition.primaryKey ?? (typeof definition['idName'] === 'string' ? definition['idName'] : 'id')
  defineKey(from, keyFrom, { type: idType ?? typeOfKey(from, idNameOf(from)) })
  defineKey(from, discriminator, { type: 'string' })
  return { to: undefined, keyFrom, keyTo, discriminator: { property: discriminator } }
}
