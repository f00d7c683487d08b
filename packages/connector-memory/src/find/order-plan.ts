import { compileOrder, findNear, type Filter, type OrderClause, type RowComparator } from '@modelwire/core/connector'
import type { Column } from '../table/column.ts'
import type { Layout } from '../table/row-shape.ts'
import type { NumberList } from '../table/number-list.ts'
import { isIndexed, type Access } from './access.ts'

/** How the rows of one filter are found and ordered. */
export interface FindPlan {
  readonly access: Access
  /** The complete order, ending with the id. */
  readonly compare: RowComparator
  readonly descending: boolean
  /** An index has the matching rows, or their order. */
  readonly hasIndex: boolean
  /** The order is only by id. */
  readonly byId: boolean
  /** The first column of the order, if it has an index. */
  readonly leading: Column | undefined
  /** The first numbers of the order, with or without an index. */
  readonly numbers: LeadingNumbers | undefined
  /** Rows with equal values are in order if their slots are. */
  readonly leadsAlone: boolean
  /** The point by whose distance rows are ordered instead. */
  readonly near: ReturnType<typeof findNear>
}

/** The numbers that an order starts with. */
export interface LeadingNumbers {
  readonly list: NumberList
  readonly descending: boolean
}

/** The parts of a filter that are not in the plan. */
export type Page = Pick<Filter, 'skip' | 'limit'>

/** Plans the order of a filter. */
export function planOrder(filter: Filter, access: Access): FindPlan {
  const { layout } = access
  const order = endAtId(filter.order, layout)
  const isWhole = layout.key.length < 2
  const [first] = order
  const byId = order.length === 0 || (order.length === 1 && isId(first, layout))
  const name = leadingName(first, layout) ?? ''
  const descending = first?.descending ?? false
  const leading = leadingColumn(name, layout)
  return {
    access,
    compare: compileOrder(order, isWhole ? layout.id && [layout.id.name] : undefined, layout.orders),
    descending,
    byId,
    leading,
    hasIndex: leading !== undefined || isIndexed(access),
    numbers: leadingNumbers(name, descending, layout),
    leadsAlone: order.length < 2,
    near: findNear(filter.where)
  }
}

/** An id decides: later clauses of the order have no effect. */
function endAtId(order: readonly OrderClause[], layout: Layout): readonly OrderClause[] {
  if (layout.key.length > 1) return endAtKey(order, layout)
  const at = order.findIndex((clause) => isId(clause, layout))
  return at < 0 ? order : order.slice(0, at + 1)
}

/** Of an id of several properties all decide together. */
function endAtKey(order: readonly OrderClause[], { key }: Layout): readonly OrderClause[] {
  const asked = new Set(order.map(({ path }) => path.join('.')))
  const rest = key.filter(({ name }) => !asked.has(name))
  return [...order, ...rest.map(({ name, type }) => ({ path: [name], type, descending: false }))]
}

function isId(clause: OrderClause | undefined, { id }: Layout): boolean {
  return id !== undefined && clause?.path.length === 1 && clause.path[0] === id.name
}

/** Without a declared type, or where null comes first, values are compared in a way that no index keeps. */
function leadingName(first: OrderClause | undefined, { id }: Layout): string | undefined {
  if (first === undefined) return id?.name
  return first.path.length === 1 && first.type !== undefined && first.absentFirst !== true ? first.path[0] : undefined
}

function leadingColumn(name: string, { columns }: Layout): Column | undefined {
  const column = columns.get(name)
  return column?.kind === 'other' ? undefined : column
}

function leadingNumbers(name: string, descending: boolean, { numbers }: Layout): LeadingNumbers | undefined {
  const list = numbers.find((each) => each.name === name)
  return list && { list, descending }
}
