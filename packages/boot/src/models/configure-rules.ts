import { isPlainObject, type ModelType } from '@modelwire/core/plugin'

type Rules = NonNullable<ModelType['definition']['acls']>

/** What two rules have in common when the later one replaces the earlier one. */
const places = ['property', 'accessType', 'principalType', 'principalId'] as const

const isInPlaceOf = (added: unknown, existing: unknown): boolean =>
  isPlainObject(added) && isPlainObject(existing) && places.every((key) => added[key] === existing[key])

/**
 * Adds the access rules of a model's entry in `model-config.json`. One about the same methods, access type and principal as an earlier
 * one takes its place, inherited rules included.
 * @see LoopBack 3: lib/registry.js, addACL
 */
export function configureRules(model: Pick<ModelType, 'definition'> | undefined, added: readonly unknown[] = []): void {
  if (model === undefined || added.length === 0) return
  const { definition } = model
  const rules: unknown[] = [...(definition.acls ?? [])]
  for (const rule of added) {
    const index = rules.findIndex((existing) => isInPlaceOf(rule, existing))
    rules.splice(index === -1 ? rules.length : index, 1, rule)
  }
  definition.acls = rules as Rules // of any shape: readers check it
}
