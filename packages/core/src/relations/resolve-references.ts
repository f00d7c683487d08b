import type { ModelType } from '../contract/model-type.ts'
import type { Rule } from '../rules/rule.ts'
import { keyText } from '../values/same-key.ts'
import type { RelationKeys } from '../contract/resolved-relation.ts'
import { camelName } from './camel-name.ts'
import { typeOfKey } from './define-key.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { idNameOf } from './id-name.ts'

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

/** A relation whose keys lie in a list of the declaring record. */
export function resolveReferences(draft: Draft): RelationKeys {
  const { name, from, definition } = draft
  const to = findTarget(draft)
  const keyTo = idNameOf(to)
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
