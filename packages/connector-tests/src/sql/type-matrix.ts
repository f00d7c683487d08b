import { ModelRegistry, type ModelDefinition, planMigration } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'

/** Two values of each type, as literals without quotes. */
export type TypeSamples = Readonly<Record<string, readonly [low: string, high: string]>>

/** What a property may be declared as; lists hold one of the others. */
const scalars = [
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'dateString',
  'buffer',
  'geopoint',
  'object',
  'any'
] as const

type Declared = string | readonly [string]

const listed = ['string', 'number', 'any'] as const

const declarations: readonly Declared[] = [...scalars, ...listed.map((scalar) => [scalar] as const)]

/** What a property may be stored as. */
type Kind = 'text' | 'number' | 'decimal' | 'boolean' | 'date' | 'binary' | 'point' | 'json'

/** A column type of the database, as far as the tries depend on it. */
interface TriedType {
  readonly kind?: Kind | undefined
  readonly isText?: boolean | undefined
  readonly digits?: string | undefined
}

/** The verdict on a column type and a property. */
interface Verdict {
  readonly read: boolean
  readonly written: boolean
  readonly compared: unknown
  readonly ordered: unknown
  readonly matched: boolean
}

/** The database to try. */
export interface MatrixOptions<Type extends TriedType = TriedType> {
  readonly types: { readonly of: (written: string) => Type }
  readonly fitOf: (type: Type, kind: Kind) => Verdict
  readonly connector: () => Connector
  /** Runs statements as any program would. */
  readonly run: (statements: readonly string[]) => Promise<unknown>
  readonly quote: (name: string) => string
  /** A value of a type as a statement writes it; a quoted text if absent. */
  readonly literal?: (value: string, type: string) => string
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Values that a client may send for whatever a property is. */
const strange: readonly unknown[] = [
  'x',
  '',
  '0',
  '{',
  '2020-02-31',
  '\u{1F600}',
  0,
  -1.5,
  1e300,
  true,
  new Date('2020-01-31T12:30:00Z'),
  Buffer.from([0xff]),
  { lat: 1, lng: 2 },
  { a: [1] },
  [1, 'x'],
  []
]

/** One property of one declared type, and its column. */
interface Place {
  readonly t: Test
  readonly registry: ModelRegistry
  readonly model: string
  readonly property: string
  readonly column: TriedType
  readonly fitOf: (kind: Kind) => Verdict
  readonly declared: Declared
  readonly title: string
}

/**
 * Tries each type with each declaration of a property: reads, compares, orders, matches, writes and plans, and compares what
 * happens with the verdict of `fitOf`.
 */
export async function tryTypes<Type extends TriedType>(
  t: Test,
  samples: TypeSamples,
  options: MatrixOptions<Type>
): Promise<void> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', options.connector())
  t.teardown(() => registry.disconnect())
  const places: Place[] = []
  const statements: string[] = []
  let number = 0
  for (const [type, values] of Object.entries(samples)) {
    const table = `m${number++}`
    const column = options.types.of(type)
    statements.push(...tableOf(options, { table, type, values, column }))
    const properties: ModelDefinition['properties'] = { id: { type: 'number', id: true } }
    for (const [at, declared] of declarations.entries()) {
      const property = `v${at}`
      properties[property] = { type: typeof declared === 'string' ? declared : [declared[0]] }
      const title = `${type} as ${String(declared)}`
      const verdict = (kind: Kind): Verdict => options.fitOf(column, kind)
      places.push({ t, registry, model: table, property, column, fitOf: verdict, declared, title })
    }
    registry.define({ name: table, strict: true, idInjection: false, properties })
    registry.attach(table, 'db')
  }
  await options.run(statements)
  await registry.connect()
  for (const place of places) await tryPlace(place)
  const plans = await planMigration(registry)
  t.strictSame(
    plans.flatMap(({ steps }) => steps),
    [],
    'no column is to be changed'
  )
}

interface TriedTable {
  readonly table: string
  readonly type: string
  readonly values: readonly string[]
  readonly column: TriedType
}

/** Makes a table with a column of the type for each declaration, and two rows. */
function tableOf(
  { quote, literal = quoted }: Pick<MatrixOptions, 'quote' | 'literal'>,
  { table, type, values, column }: TriedTable
): readonly string[] {
  const names = declarations.map((_, at) => `v${at}`)
  const rows = values.map((value, at) => {
    const literals = declarations.map((declared) => sampleOf(column, declared, at) ?? value)
    return `(${at + 1}, ${literals.map((each) => literal(each, type)).join(', ')})`
  })
  return [
    `create table ${quote(table)} (id integer not null primary key, ${names.map((name) => `${name} ${type}`).join(', ')})`,
    `insert into ${quote(table)} (id, ${names.join(', ')}) values ${rows.join(', ')}`
  ]
}

/** Strings stand for dates and JSON in their forms alone. */
function sampleOf(column: TriedType, declared: Declared, at: number): string | undefined {
  if (column.isText !== true) return undefined
  const kind = kindOfDeclared(declared, column)
  if (kind === 'date') return `202${at}-01-31T12:30:00.000Z`
  return kind === 'json' ? String(at) : undefined
}

const kinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  dateString: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date',
  buffer: 'binary',
  geopoint: 'point'
}

/** The kind of column that a declaration needs. Strings of exact numbers are compared as numbers. */
export function kindOfDeclared(declared: Declared, { digits }: Pick<TriedType, 'digits'>): Kind {
  const kind = (typeof declared === 'string' ? kinds[declared] : undefined) ?? 'json'
  return declared === 'string' && digits !== undefined ? 'decimal' : kind
}

interface Found {
  readonly id: unknown
  readonly v: unknown
}

async function tryPlace(place: Place): Promise<void> {
  const { t, column, declared, title } = place
  const fit = place.fitOf(kindOfDeclared(declared, column))
  const rows = await find(place, { order: 'id' })
  if (rows === undefined) return
  t.equal(rows.length, 2, `${title}: both are read`)
  // Core reads a day out of what a client sends.
  const isDay = declared !== 'dateString' || column.kind === 'date'
  const isScalar = typeof declared === 'string' && declared !== 'object' && declared !== 'any' && isDay
  if (fit.read && isScalar) await tryValues(place, rows)
  await tryStrange(place)
}

/** Values are written as they are read, equal themselves, and have an order, if the verdict says so. */
async function tryValues(place: Place, rows: readonly Found[]): Promise<void> {
  const { t, column, declared, title, registry, model } = place
  const fit = place.fitOf(kindOfDeclared(declared, column))
  const [one, two] = rows
  const differ = JSON.stringify(one?.v) !== JSON.stringify(two?.v)
  for (const { id, v } of rows) {
    // Core refuses what is not a point.
    const isOther = declared === 'geopoint' && !(typeof v === 'object' && v !== null && 'lat' in v)
    if (v === null || v === undefined || Number.isNaN(v) || isOther || isInvalid(v)) continue
    const equal = await idsOf(place, { where: { [place.property]: v } })
    const expected = differ ? [id] : [1, 2]
    t.strictSame(equal, fit.compared === false ? [] : expected, `${title}: ${String(v)} is equal`)
    if (fit.matched && typeof v === 'string') {
      const like = v.replaceAll(/[\\%_]/g, String.raw`\$&`)
      t.strictSame(
        await idsOf(place, { where: { [place.property]: { like } } }),
        expected,
        `${title}: ${v} is like itself`
      )
    }
    const written = await attempt(place, async () => registry.get(model).create({ id: 3, [place.property]: v }))
    // Core refuses fractions.
    if (fit.written && (declared !== 'integer' || Number.isInteger(v)))
      t.same((await registry.get(model).findById(3))?.[place.property], v, `${title}: ${String(v)} is written`)
    if (written !== undefined) await registry.get(model).destroyById(3)
  }
  // Core compares no bytes in ranges.
  if (!differ || fit.ordered === false || declared === 'buffer') return
  const ordered = await find(place, { order: place.property })
  const [low, high] = ordered ?? []
  t.strictSame(
    await idsOf(place, { where: { [place.property]: { gt: low?.v } } }),
    [high?.id],
    `${title}: pages follow the order`
  )
  t.strictSame(await idsOf(place, { order: `${place.property} DESC` }), [high?.id, low?.id], `${title}: descends`)
}

const isInvalid = (value: unknown): boolean => value instanceof Date && Number.isNaN(value.getTime())

/** Nothing that a client sends is an error of the database in a condition, nor anything but a refusal in a write. */
async function tryStrange(place: Place): Promise<void> {
  const { registry, model, declared } = place
  const { property } = place
  const patterns = [{ like: 'x%' }, { regexp: '^x' }, null].map((test) => ({ [property]: test }))
  const inside = [{ [`${property}.lat`]: 1 }, { [`${property}.a`]: 'x' }]
  const tests = strange.flatMap((v) =>
    [v, { gt: v }, { inq: [v, v] }, { neq: v }].map((test) => ({ [property]: test }))
  )
  const all = [...patterns, ...inside, ...tests]
  // One that core refuses hides the others.
  if ((await find(place, { where: { or: all } })) === undefined) for (const where of all) await find(place, { where })
  await find(place, { order: place.property })
  await find(place, { order: `${place.property}.lat` })
  for (const v of typeof declared === 'string' ? strange : strange.filter(Array.isArray)) {
    const made = await attempt(place, async () => registry.get(model).create({ id: 3, [place.property]: v }))
    if (made !== undefined) {
      await find(place, {})
      await registry.get(model).destroyById(3)
    }
  }
}

async function idsOf(place: Place, filter: object): Promise<unknown> {
  return (await find(place, { order: 'id', ...filter }))?.map(({ id }) => id)
}

/** Filters are compiled as those of clients are. Core refuses some of them, which is no matter of the column. */
async function find(place: Place, filter: object): Promise<readonly Found[] | undefined> {
  const { registry, model } = place
  return attempt(
    place,
    async () =>
      (await registry.get(model).find(filter)).map((record) => ({ id: record['id'], v: record[place.property] })),
    JSON.stringify(filter)
  )
}

async function attempt<Result>(
  { t, title }: Place,
  work: () => Promise<Result>,
  what = 'write'
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const isFailure = status >= 500 || (what !== 'write' && code === 'VALUE_REFUSED')
    if (isFailure) t.fail(`${title}: ${what}: ${String(error)} ${String(error instanceof Error ? error.cause : '')}`)
    return undefined
  }
}
