import type { ResolvedRelation } from '@modelwire/core/plugin'
import { embeddedInstances } from '../records/embedded.ts'
import type { ToManyMethods } from '../relation-kind.ts'
import type { Related } from '../related.ts'
import { type AccessorMethod, type AccessorStyle, type AsyncMethod, styled } from './accessor-style.ts'

/** LoopBack's short names for what helpers of embedded lists do with a record of a known id. */
const shortNames = { get: 'findById', set: 'updateById', unset: 'destroyById' } as const

/** What helpers of lists that the parent itself holds can do besides: `parts.at(0)`, `parts.get(id)`. */
export function listMethods(
  { embeds }: ResolvedRelation,
  related: () => Related,
  { at }: ToManyMethods,
  style: AccessorStyle,
  others: Readonly<Record<string, AccessorMethod | undefined>>
): Record<string, AccessorMethod> {
  if (at === undefined) return {}
  const read: AsyncMethod = async (index) => at(related(), Number(index))
  const methods: Record<string, AccessorMethod> = { at: styled(read, style) }
  if (!embeds) return methods
  for (const [short, long] of Object.entries(shortNames)) {
    const method = others[long]
    if (method !== undefined) methods[short] = method
  }
  if (style.readsAtOnce !== true) return methods
  const later = methods['at']
  methods['at'] = (...args) =>
    args.length > 1 ? later?.(...args) : (embeddedInstances(related())[Number(args[0])] ?? null)
  return methods
}
