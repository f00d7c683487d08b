import type { Relation } from '../relation.ts'
import { defineKey, keyFor, typeOfKey } from './define-key.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { idNameOf } from './id-name.ts'
import { polymorphicKey, type PolymorphicKey } from './polymorphic.ts'

/** A relation whose key lies in the declaring record. */
export function resolveBelongsTo(draft: Draft): Relation {
  const { name, kind, from, definition, settings } = draft
  const polymorphic = polymorphicKey(draft)
  if (polymorphic !== undefined) return resolvePolymorphic(draft, polymorphic)
  const to = findTarget(draft)
  const keyTo = definition.primaryKey ?? idNameOf(to)
  const keyFrom = definition.foreignKey ?? `${name}Id`
  defineKey(from, keyFrom, keyFor(to, keyTo))
  return { name, kind, from, to, keyFrom, keyTo, settings }
}

function resolvePolymorphic(draft: Draft, polymorphic: PolymorphicKey): Relation {
  const { name, kind, from, definition, settings } = draft
  const { foreignKey: keyFrom, discriminator, idType } = polymorphic
  const keyTo = definition.primaryKey ?? (typeof definition['idName'] === 'string' ? definition['idName'] : 'id')
  defineKey(from, keyFrom, { type: idType ?? typeOfKey(from, idNameOf(from)) })
  defineKey(from, discriminator, { type: 'string' })
  return { name, kind, from, to: undefined, keyFrom, keyTo, discriminator: { property: discriminator }, settings }
}
