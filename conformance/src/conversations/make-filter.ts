import { makeId, makeValue } from './make-values.ts'
import type { Kind, ModelPlan, RelationPlan } from './plan.ts'
import type { Random } from './random.ts'

type Filter = Record<string, unknown>

const comparing = ['neq', 'gt', 'gte', 'lt', 'lte', 'inq', 'nin', 'between'] as const
const ofText = [...comparing, 'like', 'nlike', 'ilike', 'nilike', 'regexp'] as const

const operators: Readonly<Record<Kind, readonly string[]>> = {
  string: ofText,
  number: comparing,
  boolean: ['neq', 'inq', 'nin'],
  date: ['neq', 'gt', 'gte', 'lt', 'lte', 'between'],
  object: ['neq'],
  any: ['neq', 'inq', 'nin'],
  strings: ['neq', 'inq', 'nin', 'like', 'nlike'],
  numbers: ['neq', 'gt', 'inq', 'nin'],
  geopoint: ['near'],
  box: ['neq']
}

const isList = (name: string): boolean => name === 'inq' || name === 'nin'

const inner: Partial<Readonly<Record<Kind, Kind>>> = { strings: 'string', numbers: 'number' }

function operand(random: Random, operator: string, kind: Kind): unknown {
  const one = (): unknown => makeValue(random, inner[kind] ?? kind, 0.1)
  if (isList(operator)) return Array.from({ length: random.int(3) }, one)
  if (operator === 'between') return [one(), one()]
  if (operator === 'near') return random.pick(['1,2', '10,20', { lat: 3, lng: 4 }])
  if (/like|regexp/.test(operator)) return random.pick(['a', '%b', 'a%', '^a', '_b', 'A', 'zz|a'])
  return one()
}

function condition(random: Random, model: ModelPlan): Filter {
  if (random.chance(0.12))
    return { id: random.chance(0.6) ? makeId(random, model) : { inq: [1, 2, makeId(random, model)] } }
  if (random.chance(0.04)) return { unknown: random.pick(['a', 1, null]) }
  const { name, kind } = random.pick(model.properties)
  if (kind === 'box' && random.chance(0.7))
    return { [`${name}.w`]: random.pick([1, 3, { gt: 1 }, { neq: 1 }, '1', null]) }
  if (kind === 'strings' && random.chance(0.3)) return { [name]: random.pick(['a', 'b']) }
  if (random.chance(0.5)) return { [name]: makeValue(random, inner[kind] ?? kind, 0.12) }
  const operator = random.pick(operators[kind])
  const near = operator === 'near' && random.chance(0.5) ? { maxDistance: 500, unit: 'kilometers' } : {}
  return { [name]: { [operator]: operand(random, operator, kind), ...near } }
}

/** Conditions on records of a model. */
export function makeWhere(random: Random, model: ModelPlan): Filter {
  if (random.chance(0.75)) return condition(random, model)
  if (random.chance(0.3)) return { ...condition(random, model), ...condition(random, model) }
  const parts = Array.from({ length: 1 + random.int(2) }, () => condition(random, model))
  return { [random.pick(['and', 'or', 'or', 'nor'])]: parts }
}

const directions = ['', ' ASC', ' DESC', ' desc'] as const

function makeOrder(random: Random, model: ModelPlan): unknown {
  const names = [...model.properties.map(({ name }) => name), 'id']
  const one = (): string => `${random.pick(names)}${random.pick(directions)}`
  if (random.chance(0.7)) return one()
  return random.chance(0.7) ? [one(), one()] : `${one()}, ${one()}`
}

function makeFields(random: Random, model: ModelPlan): unknown {
  const names = ['id', ...model.properties.map(({ name }) => name)]
  const some = random.some(names, 1, 3)
  const flag = random.chance(0.5)
  if (random.chance(0.4)) return Object.fromEntries(some.map((name) => [name, flag]))
  return random.chance(0.2) ? some[0] : some
}

function includeOf(random: Random, relation: RelationPlan, models: readonly ModelPlan[], depth: number): unknown {
  const target = models.find(({ name }) => name === relation.target)
  if (target === undefined || random.chance(0.5)) return relation.name
  if (random.chance(0.4) && target.relations.length > 0 && depth > 0)
    return { [relation.name]: random.pick(target.relations).name }
  return { relation: relation.name, scope: makeFilter(random, target, models, depth - 1, 0.25) }
}

function makeInclude(random: Random, model: ModelPlan, models: readonly ModelPlan[], depth: number): unknown {
  const some = random.some(model.relations, 1, 2)
  const list = some.map((relation) => includeOf(random, relation, models, depth))
  return list.length === 1 && random.chance(0.8) ? list[0] : list
}

/** A filter, each part of it with the probability `share`. */
export function makeFilter(
  random: Random,
  model: ModelPlan,
  models: readonly ModelPlan[],
  depth = 1,
  share = 0.35
): Filter {
  return {
    ...(random.chance(share) && { where: makeWhere(random, model) }),
    ...(random.chance(share) && { order: makeOrder(random, model) }),
    ...(random.chance(share / 2) && { limit: random.pick([0, 1, 2, 3, '2']) }),
    ...(random.chance(share / 3) && { [random.pick(['skip', 'offset'])]: random.pick([0, 1, 2]) }),
    ...(random.chance(share / 2) && { fields: makeFields(random, model) }),
    ...(depth >= 0 &&
      model.relations.length > 0 &&
      random.chance(share + 0.1) && {
        include: makeInclude(random, model, models, depth)
      })
  }
}

function inBrackets(prefix: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => inBrackets(`${prefix}[${at}]`, item))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) => inBrackets(`${prefix}[${name}]`, item))
  return [`${prefix}=${encodeURIComponent(String(value))}`]
}

/** A query that carries `value` under `name`, as JSON or in brackets; empty when there is nothing to say. */
export function writeQuery(random: Random, name: string, value: Filter): string {
  if (Object.keys(value).length === 0) return ''
  if (random.chance(0.75)) return `?${name}=${encodeURIComponent(JSON.stringify(value))}`
  const parts = inBrackets(name, value)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
