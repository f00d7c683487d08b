import { Model } from '@modelwire/core'
import { callOf, isPlainObject, type ResolvedRelation } from '@modelwire/core/plugin'
import { copyProperties } from '../records/copy-properties.ts'
import { embeddedInstances } from '../records/embedded.ts'
import type { ToOneMethods } from '../relation-kind.ts'
import type { Related } from '../related.ts'
import type { AccessorMethod, AccessorStyle } from './accessor-style.ts'
import { styled } from './accessor-style.ts'
import { includedValue } from './included-value.ts'

/** The declaring record takes over the key of its owner, and what `properties` name. */
function takeOwner({ relation, parent }: Related, target: Model): void {
  parent[relation.keyFrom] = target[relation.keyTo]
  if (relation.discriminator !== undefined && relation.to === undefined)
    parent[relation.discriminator.property] = target.constructor.name
  copyProperties(relation, parent, target)
}

/** Makes a record the related one: one of both takes over a key, and it is what reading gives from now on. Nothing is stored. */
function setRelated(related: Related, target: Model): void {
  const { relation, parent } = related
  if (relation.embeds) parent.setAttributes({ [relation.keyFrom]: target.toObject() })
  else if (relation.holdsKey === 'one') takeOwner(related, target)
  else target[relation.keyTo] = parent[relation.keyFrom]
  includedValue.set(parent, relation.name, target)
}

function removeOwner({ relation, parent }: Related): void {
  if (relation.holdsKey !== 'one') return
  parent[relation.keyFrom] = undefined
  includedValue.set(parent, relation.name, undefined)
}

function writers(
  related: (options: unknown) => Related,
  { build, create, update, destroy }: ToOneMethods,
  style: AccessorStyle
): Record<string, AccessorMethod> {
  return {
    ...(build && { build: (data) => build(related({}), data) }),
    ...(create && { create: styled(async (data, options) => create(related(options), data), style) }),
    ...(update && { update: styled(async (data, options) => update(related(options), data), style) }),
    ...(destroy && { destroy: styled(async (options) => destroy(related(options)), style) })
  }
}

/** The helper of a relation to one record: `order.customer()`, `order.customer.create(data)`. */
export function toOneAccessor(
  relation: ResolvedRelation,
  parent: Model,
  methods: ToOneMethods,
  style: AccessorStyle
): AccessorMethod {
  const related = (options: unknown): Related => ({
    relation,
    parent,
    call: callOf(isPlainObject(options) ? options : undefined)
  })
  const get = async (refresh?: unknown, options?: unknown): Promise<unknown> => {
    const cached = refresh === true ? undefined : includedValue.get(parent, relation.name)
    return cached ?? methods.get(related(isPlainObject(refresh) ? refresh : options))
  }
  const read = styled(get, style)
  const helper = (...args: unknown[]): unknown => {
    const [first, ...more] = args
    if (first instanceof Model) return setRelated(related({}), first)
    if (style.readsAtOnce !== true || (first ?? more[0] ?? null) !== null) return read(...args)
    // LB3: without a callback null takes the related record away; relation-definition.js, BelongsTo.related.
    if (first === null) return removeOwner(related({}))
    return relation.embeds ? embeddedInstances(related({}))[0] : includedValue.get(parent, relation.name)
  }
  return Object.assign(helper, { get: read }, writers(related, methods, style))
}
