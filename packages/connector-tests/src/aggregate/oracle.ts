/** A sale as the tests send it: dates and decimal numbers are texts. */
export interface Sale {
  readonly id: number
  readonly shop: string | null
  readonly units: number | null
  readonly price: number | null
  readonly amount: string | null
  readonly paid: boolean | null
  readonly at: string | null
}

/** A value of a record, or of a row of the result. */
export type Value = string | number | boolean | null
/** A row of the result. */
export type ResultRow = Record<string, Value>

/** A test of one value: of a record in `where`, of a row of the result in `having`. */
export interface ValueTest {
  readonly name: string
  readonly operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
  readonly operand: string | number | boolean
}

/** A request for sums and groups in parts that can be carried out without the server. */
export interface PlainRequest {
  readonly where: readonly ValueTest[]
  readonly group: readonly (keyof Sale | { readonly part: string; readonly of: 'at'; readonly as?: string })[]
  readonly measures: readonly { readonly fn: string; readonly of: keyof Sale | undefined; readonly alias?: string }[]
  readonly having: readonly ValueTest[]
  readonly order: readonly { readonly name: string; readonly descending: boolean }[]
  readonly limit: number | undefined
  readonly skip: number
}

const cents = (text: string): bigint => BigInt(text.replace('.', ''))
const isMoney = (value: unknown): value is string => typeof value === 'string' && /^-?\d+\.\d\d$/.test(value)

/** Numbers, money by its cents, texts by their codes, false before true. */
function compare(left: Value, right: Value): number {
  if (isMoney(left) && isMoney(right)) return Number(cents(left) - cents(right))
  if (left === right) return 0
  return (left as number) < (right as number) ? -1 : 1 // values of one kind
}

function passes(value: Value, { operator, operand }: ValueTest): boolean {
  if (operator === 'neq') return value === null || compare(value, operand) !== 0
  if (value === null) return false
  const compared = compare(value, operand)
  if (compared === 0) return ['eq', 'gte', 'lte'].includes(operator)
  return compared > 0 ? operator.startsWith('g') : operator.startsWith('l')
}

const parts: Readonly<Record<string, (date: Date) => Value>> = {
  date: (date) => date.toISOString().slice(0, 10),
  yearMonth: (date) => date.toISOString().slice(0, 7),
  year: (date) => Number(date.toISOString().slice(0, 4)),
  quarter: (date) => Math.ceil(Number(date.toISOString().slice(5, 7)) / 3),
  month: (date) => Number(date.toISOString().slice(5, 7)),
  day: (date) => Number(date.toISOString().slice(8, 10)),
  weekday: (date) => date.getUTCDay() || 7,
  hour: (date) => Number(date.toISOString().slice(11, 13)),
  minute: (date) => Number(date.toISOString().slice(14, 16)),
  second: (date) => Number(date.toISOString().slice(17, 19))
}

/** The names of the parts of dates. */
export const partNames: readonly string[] = Object.keys(parts)

const keyName = (key: PlainRequest['group'][number]): string =>
  typeof key === 'string' ? key : (key.as ?? `${key.part}_${key.of}`)
/** The name of a value in the result. */
export const measureName = ({ fn, of, alias }: PlainRequest['measures'][number]): string =>
  alias ?? (of === undefined ? fn : `${fn}_${of}`)

function keyValue(sale: Sale, key: PlainRequest['group'][number]): Value {
  if (typeof key === 'string') return sale[key]
  return sale.at === null ? null : (parts[key.part]?.(new Date(sale.at)) ?? null)
}

function money(total: bigint): string {
  const digits = (total < 0n ? -total : total).toString().padStart(3, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const scaling = 10n ** 18n

/** The average of money with 20 decimals, halves away from zero, without zeros at the end. */
function averageMoney(total: bigint, count: bigint): string {
  const size = total < 0n ? -total : total
  const rounded = (2n * size * scaling + count) / (2n * count)
  const digits = rounded.toString().padStart(21, '0')
  return `${total < 0n && rounded > 0n ? '-' : ''}${digits.slice(0, -20)}.${digits.slice(-20)}`.replace(/\.?0+$/, '')
}

function measure(sales: readonly Sale[], { fn, of }: PlainRequest['measures'][number]): Value {
  if (of === undefined) return sales.length
  const values = sales.map((sale) => sale[of]).filter((value) => value !== null)
  if (fn === 'count') return values.length
  if (values.length === 0) return null
  if (fn === 'min') return values.reduce((least, value) => (compare(value, least) < 0 ? value : least))
  if (fn === 'max') return values.reduce((most, value) => (compare(value, most) > 0 ? value : most))
  if (of === 'amount') {
    const total = values.reduce((sum, value) => sum + cents(String(value)), 0n)
    return fn === 'sum' ? money(total) : averageMoney(total, BigInt(values.length))
  }
  const sum = values.reduce<number>((total, value) => total + Number(value), 0)
  return fn === 'sum' ? sum : sum / values.length
}

const nullFirst = (left: Value, right: Value): number =>
  left === null || right === null ? Number(left !== null) - Number(right !== null) : compare(left, right)

/** What the request has to give, computed record by record in the simplest way. */
export function expectedRows(sales: readonly Sale[], request: PlainRequest): ResultRow[] {
  // Conditions name properties of a sale.
  const found = sales.filter((sale) => request.where.every((test) => passes(sale[test.name as keyof Sale], test)))
  const groups = new Map<string, Sale[]>(request.group.length === 0 ? [['[]', []]] : [])
  for (const sale of found) {
    const key = JSON.stringify(request.group.map((each) => keyValue(sale, each)))
    groups.set(key, [...(groups.get(key) ?? []), sale])
  }
  const rows = [...groups].map(([key, members]): ResultRow => {
    const values = JSON.parse(key) as Value[] // written above
    const row: ResultRow = {}
    for (const [at, each] of request.group.entries()) row[keyName(each)] = values[at] ?? null
    for (const each of request.measures) row[measureName(each)] = measure(members, each)
    return row
  })
  const order = [...request.order, ...request.group.map((key) => ({ name: keyName(key), descending: false }))]
  const kept = rows.filter((row) => request.having.every((test) => passes(row[test.name] ?? null, test)))
  kept.sort((first, second) => {
    for (const { name, descending } of order) {
      const compared = nullFirst(first[name] ?? null, second[name] ?? null)
      if (compared !== 0) return descending ? -compared : compared
    }
    return 0
  })
  return kept.slice(request.skip, request.limit === undefined ? undefined : request.skip + request.limit)
}

const writeTest = ({ name, operator, operand }: ValueTest): object => ({
  [name]: operator === 'eq' ? operand : { [operator]: operand }
})

/** The request as a client sends it. */
export function writeRequest({ where, group, measures, having, order, limit, skip }: PlainRequest): object {
  const request: Record<string, unknown> = {}
  if (where.length > 0) request['where'] = { and: where.map(writeTest) }
  if (group.length > 0)
    request['group'] = group.map((key) =>
      typeof key === 'string' ? key : { [key.part]: key.of, ...(key.as !== undefined && { as: key.as }) }
    )
  for (const fn of ['count', 'sum', 'avg', 'min', 'max']) {
    const own = measures.filter((each) => each.fn === fn)
    const byName = own.map((each) => [measureName(each), each.of ?? true] as const)
    if (own.length === 0) continue
    // Aliases of all: what a name would have been is an alias, too.
    request[fn] = own.every(({ alias, of }) => alias === undefined && of !== undefined)
      ? own.map(({ of }) => of)
      : Object.fromEntries(byName)
  }
  if (having.length > 0) request['having'] = { and: having.map(writeTest) }
  if (order.length > 0) request['order'] = order.map(({ name, descending }) => `${name}${descending ? ' DESC' : ''}`)
  return { ...request, ...(limit !== undefined && { limit }), ...(skip > 0 && { skip }) }
}
