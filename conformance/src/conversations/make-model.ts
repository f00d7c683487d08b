import type { Kind, ModelPlan, PropertyPlan, RelationPlan } from './plan.ts'
import type { Random } from './random.ts'

const declared: Readonly<Record<Kind, unknown>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  object: 'object',
  any: 'any',
  strings: ['string'],
  numbers: ['number'],
  geopoint: 'geopoint',
  box: { w: 'number', h: 'number' }
}

const pool: readonly PropertyPlan[] = [
  { name: 'label', kind: 'string' },
  { name: 'price', kind: 'number' },
  { name: 'sold', kind: 'boolean' },
  { name: 'madeOn', kind: 'date' },
  { name: 'title', kind: 'string' },
  { name: 'stock', kind: 'number' },
  { name: 'tags', kind: 'strings' },
  { name: 'sizes', kind: 'numbers' },
  { name: 'meta', kind: 'object' },
  { name: 'extra', kind: 'any' },
  { name: 'spot', kind: 'geopoint' },
  { name: 'box', kind: 'box' }
]

const defaults: Partial<Readonly<Record<Kind, readonly unknown[]>>> = {
  string: ['new', ''],
  number: [0, 5],
  boolean: [false, true],
  strings: [[], ['x']],
  object: [{}, { a: 1 }]
}

function declare(random: Random, { kind }: PropertyPlan): unknown {
  const type = declared[kind]
  const values = defaults[kind]
  const options = {
    ...(random.chance(0.06) && { required: true }),
    ...(values !== undefined && random.chance(0.1) && { default: random.pick(values) })
  }
  return Object.keys(options).length === 0 && random.chance(0.7) ? type : { type, ...options }
}

const filters: readonly object[] = [
  { where: { label: 'a' } },
  { where: { price: { gt: 2 } } },
  { order: 'price DESC' },
  { order: 'label', limit: 2 },
  { where: { sold: true }, order: 'id DESC' },
  { fields: ['id', 'label'] },
  { fields: { price: false } },
  { limit: 3 }
]

// LoopBack's memory answers empty records where `fields` of a default scope is an object.
const defaultFilters = filters.filter((filter) => !('fields' in filter) || Array.isArray(filter.fields))

function scopeWith(random: Random, relations: readonly RelationPlan[], of: readonly object[]): object {
  const filter = random.pick(of)
  if (relations.length === 0 || random.chance(0.6)) return filter
  return { ...filter, include: random.pick(relations).name }
}

const scripts: readonly string[] = [
  `Model.observe('before save', async (ctx) => { const data = ctx.instance || ctx.data; if (data.label) data.label = data.label + '!' })`,
  `Model.observe('loaded', async (ctx) => { if (ctx.data) ctx.data.stock = 7 })`,
  `Model.observe('access', async (ctx) => { ctx.query.where = Object.assign({}, ctx.query.where, { price: { neq: 3 } }) })`,
  `Model.observe('after save', async (ctx) => { if (ctx.instance) ctx.instance.title = ctx.isNewInstance ? 'made' : 'kept' })`,
  `Model.observe('before delete', async (ctx) => { if (ctx.where && ctx.where.id === 2) { const e = new Error('kept'); e.statusCode = 409; throw e } })`,
  `Model.observe('persist', async (ctx) => { ctx.data.price = 4 })`,
  `Model.afterRemote('find', async (ctx) => { ctx.result = ctx.result.slice(0, 3) })`,
  `Model.afterRemote('**', async (ctx) => { ctx.res.set('location', '/seen') })`,
  `Model.beforeRemote('create', async (ctx) => { if (ctx.args.data && !Array.isArray(ctx.args.data)) ctx.args.data.title = 'asked' })`,
  `Model.validatesLengthOf('label', { max: 4, message: { max: 'long' } })`,
  `Model.validatesNumericalityOf('price', { int: true, allowNull: true })`,
  `Model.validatesUniquenessOf('label')`,
  `Model.disableRemoteMethodByName('deleteById')`
]

function settings(random: Random): object {
  return {
    ...(random.chance(0.15) && { strict: random.pick([true, false, 'validate', 'throw', 'filter']) }),
    ...(random.chance(0.08) && { hidden: ['stock'] }),
    ...(random.chance(0.06) && { protected: ['price'] }),
    ...(random.chance(0.1) && { mixins: { Stamp: random.chance(0.5) ? true : { name: 'marked' } } }),
    ...(random.chance(0.08) && { forceId: random.pick([true, false, 'auto']) }),
    ...(random.chance(0.06) && { replaceOnPUT: random.chance(0.5) }),
    ...(random.chance(0.06) && { validateUpsert: random.chance(0.5) }),
    ...(random.chance(0.06) && { applyDefaultsOnReads: false }),
    ...(random.chance(0.06) && { persistUndefinedAsNull: true })
  }
}

function idOf(random: Random): { textIds: boolean; json: object } {
  if (random.chance(0.8)) return { textIds: false, json: {} }
  const generated = random.pick([{}, { generated: false }])
  return { textIds: true, json: { id: { type: 'string', id: true, ...generated } } }
}

/** What a model's file needs to know beyond chance. */
export interface ModelNeeds {
  readonly name: string
  readonly relations: readonly RelationPlan[]
  readonly base?: ModelPlan | undefined
  /** Whether other models embed it. */
  readonly isPart?: boolean
}

const partIds: readonly object[] = [
  {},
  { id: { type: 'number', id: true } },
  { id: { type: 'string', id: true, defaultFn: 'guid' } },
  { id: { type: 'number', id: true, generated: true } }
]

function scopesFor(random: Random, relations: readonly RelationPlan[]): Readonly<Record<string, object>> {
  return random.chance(0.3) ? { chosen: scopeWith(random, relations, filters) } : {}
}

/** A model with these relations, and properties, scopes, settings and a script by chance. */
export function makeModel(random: Random, { name, relations, base, isPart = false }: ModelNeeds): ModelPlan {
  const own = [...pool.slice(0, 3), ...random.some(pool.slice(3), 0, 4)]
  const id = isPart ? { textIds: false, json: random.pick(partIds) } : idOf(random)
  const usable = base === undefined ? id : { textIds: base.textIds, json: {} }
  const scopes = isPart ? {} : scopesFor(random, relations)
  const json = {
    name,
    base: base?.name ?? 'PersistedModel',
    ...(isPart ? {} : settings(random)),
    properties: { ...usable.json, ...Object.fromEntries(own.map((one) => [one.name, declare(random, one)])) },
    relations: Object.fromEntries(relations.map((relation) => [relation.name, relation.json])),
    ...(Object.keys(scopes).length > 0 && { scopes }),
    ...(!isPart && random.chance(0.12) && { scope: scopeWith(random, relations, defaultFilters) })
  }
  const lines = isPart || random.chance(0.6) ? [] : random.some(scripts, 1, 2)
  const nested = random.chance(0.25) ? relations.filter(({ target }) => target !== undefined).slice(0, 1) : []
  return {
    name,
    textIds: usable.textIds,
    properties: [...own, ...(base?.properties ?? [])],
    relations: [...relations, ...(base?.relations ?? [])],
    scopes: [...Object.keys(scopes), ...(base?.scopes ?? [])],
    nested: nested.map((relation) => relation.name),
    json,
    ...(lines.length > 0 && { script: `module.exports = function (Model) {\n  ${lines.join('\n  ')}\n}\n` })
  }
}
